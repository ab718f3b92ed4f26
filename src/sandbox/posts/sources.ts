import type { Source } from "../fields/paging.ts";
import { merge } from "../fields/merge.ts";
import type { Reader } from "../fields/reader.ts";
import { compareIds } from "../kernel/ids.ts";
import { likes, type Like, type Post, posts } from "./entities.ts";
import { unseenPost } from "./visible.ts";

/** What bounds a list of posts in time and by id; ends of ranges as the parameters define them. */
export interface Bounds {
  readonly sinceId?: string | undefined;
  readonly untilId?: string | undefined;
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

type PostIndex = "author" | "quoteOf" | "repostOf" | "term";

const orderOf = ({ id }: Post): string => id;

/** Posts that one or more values of the indexes hold, as far as the reader gets to see them. */
export function postSource(
  { world, viewer }: Reader,
  lists: readonly { readonly index: PostIndex; readonly value: string }[],
  bounds: Bounds = {},
  keep: (post: Post) => boolean = () => true,
): Source<Post> {
  const table = posts.in(world);
  return {
    down: (below) =>
      newerThan(
        merge(
          lists.map(({ index, value }) => table.down(index, value, lower(below, bounds.untilId))),
          orderOf,
          -1,
        ),
        bounds.sinceId,
      ),
    up: (above) =>
      merge(
        lists.map(({ index, value }) => table.up(index, value, above)),
        orderOf,
        1,
      ),
    orderOf,
    keep: (post) =>
      within(post, bounds) && unseenPost(world, viewer, post) === undefined && keep(post),
  };
}

/** The likes of a user or of a post. */
export function likeSource(
  { world }: Reader,
  index: "user" | "post",
  value: string,
  keep: (like: Like) => boolean,
): Source<Like> {
  const table = likes.in(world);
  return {
    down: (below) => table.down(index, value, below),
    up: (above) => table.up(index, value, above),
    orderOf: ({ seq }) => seq,
    keep,
  };
}

export function within(post: Post, { sinceId, untilId, startTime, endTime }: Bounds): boolean {
  return (
    (sinceId === undefined || compareIds(post.id, sinceId) > 0) &&
    (untilId === undefined || compareIds(post.id, untilId) < 0) &&
    (startTime === undefined || post.at >= startTime) &&
    (endTime === undefined || post.at < endTime)
  );
}

/** Ends a falling list at `since`, so that what is older is not looked at. */
export function* newerThan(list: Iterable<Post>, since: string | undefined): Generator<Post> {
  for (const post of list) {
    if (since !== undefined && compareIds(post.id, since) <= 0) return;
    yield post;
  }
}

/** The lower of two ids, where there are any. */
export function lower(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return compareIds(a, b) < 0 ? a : b;
}
