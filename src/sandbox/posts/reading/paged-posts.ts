import { type UserRow, relationships } from "../../model/accounts.ts";
import { type PagedList, merge } from "../../kernel/world/paging.ts";
import { compareIds } from "../../kernel/world/ids.ts";
import { likes, type LikeRow, type PostRow, posts } from "../../model/posts.ts";
import { hiddenPostReason, type Viewpoint } from "../../model/hidden-reason.ts";
import type { SandboxWorld } from "../../kernel/world/sandbox-world.ts";

/** Bounds of a list of posts, by id and creation time. `startTime` is included, the other bounds are excluded. */
export interface ListBounds {
  readonly sinceId?: string | undefined;
  readonly untilId?: string | undefined;
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

/** Selects the posts that an index of the table contains under a value, such as the posts of one author. */
export interface PostIndexValue {
  readonly index: "author" | "quoteOf" | "repostOf" | "term";
  readonly value: string;
}

/** Returns index entries that together select the posts that mention a user or reply to a user. */
export function mentionsOf({ id, username }: UserRow): readonly PostIndexValue[] {
  return [
    { index: "term", value: `@${username.toLowerCase()}` },
    { index: "term", value: `inherits:${id}` },
    { index: "term", value: `to:${id}` },
  ];
}

const orderOf = ({ id }: PostRow): string => id;

/** Returns the visible posts that are in at least one of the passed index entries, as a list that can be paged. */
export function pagedPosts(
  { world, viewer }: Viewpoint,
  lists: readonly PostIndexValue[],
  bounds: ListBounds = {},
  keep: (post: PostRow) => boolean = () => true,
): PagedList<PostRow> {
  const table = posts.in(world);
  return {
    descending: (below) =>
      newerThan(
        merge(
          lists.map(({ index, value }) =>
            table.descending(index, value, lowerId(below, bounds.untilId)),
          ),
          orderOf,
          -1,
        ),
        bounds.sinceId,
      ),
    ascending: (above) =>
      merge(
        lists.map(({ index, value }) => table.ascending(index, value, above)),
        orderOf,
        1,
      ),
    orderOf,
    keep: (post) =>
      isWithin(post, bounds) && hiddenPostReason(world, viewer, post) === undefined && keep(post),
  };
}

/** Returns the likes of a user or of a post, as a list that can be paged. */
export function pagedLikes(
  { world }: Viewpoint,
  index: "user" | "post",
  value: string,
  keep: (like: LikeRow) => boolean,
): PagedList<LikeRow> {
  const table = likes.in(world);
  return {
    descending: (below) => table.descending(index, value, below),
    ascending: (above) => table.ascending(index, value, above),
    orderOf: ({ seq }) => seq,
    keep,
  };
}

export function isWithin(
  post: PostRow,
  { sinceId, untilId, startTime, endTime }: ListBounds,
): boolean {
  return (
    (sinceId === undefined || compareIds(post.id, sinceId) > 0) &&
    (untilId === undefined || compareIds(post.id, untilId) < 0) &&
    (startTime === undefined || post.at >= startTime) &&
    (endTime === undefined || post.at < endTime)
  );
}

/** Yields the posts of a descending list that are newer than the post `since`. Older posts are not read. */
export function* newerThan(list: Iterable<PostRow>, since: string | undefined): Generator<PostRow> {
  for (const post of list) {
    if (since !== undefined && compareIds(post.id, since) <= 0) return;
    yield post;
  }
}

/** Returns the lower of two ids; if one id is absent, returns the other id. */
export function lowerId(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return compareIds(a, b) < 0 ? a : b;
}

/** Returns the posts of a user that other users have reposted, newest first, as a list that can be paged. */
export function repostedPosts(
  view: Viewpoint,
  userId: string,
  bounds: ListBounds = {},
): PagedList<PostRow> {
  const table = posts.in(view.world);
  const isReposted = ({ id }: PostRow): boolean =>
    table.where("repostOf", id).some(({ authorId }) => authorId !== userId);
  return pagedPosts(view, [{ index: "author", value: userId }], bounds, isReposted);
}

/** Returns the authors in a home timeline: the user, and the accounts that the user follows and has not muted. */
export function homeAuthors(world: SandboxWorld, { id }: UserRow): string[] {
  const table = relationships.in(world);
  const muted = new Set(table.where("from", `mute:${id}`).map(({ to }) => to));
  const followed = table.where("from", `follow:${id}`).map(({ to }) => to);
  return [id, ...followed.filter((one) => !muted.has(one))];
}
