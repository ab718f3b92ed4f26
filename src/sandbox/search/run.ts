import { merge, type ListPage, type PageRequest, encodeCursor } from "../kernel/world/paging.ts";
import { compareIds } from "../kernel/world/ids.ts";
import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import { ALL_POSTS, isListed, type PostRow, posts } from "../model/posts.ts";
import { type ListBounds, lowerId, newerThan, isWithin } from "../posts/reading/paged-posts.ts";
import { hiddenPostReason, type Viewpoint } from "../model/hidden-reason.ts";
import { isLate } from "./late-posts.ts";
import type { CandidateList } from "./clause.ts";
import { PostFacts } from "./facts.ts";
import type { SearchExpression } from "./parse.ts";

/** World in which a search runs, the user whose view of it counts, and the current time. */
export interface SearchView extends Viewpoint {
  /** Current time, in milliseconds since the Unix epoch. */
  readonly now: number;
}

/** Returns a page of a search's results, newest first. */
export function runSearch(
  view: SearchView,
  search: SearchExpression,
  bounds: ListBounds,
  { size, cursor }: PageRequest,
): ListPage<PostRow> {
  const items: PostRow[] = [];
  for (const post of postsFound(view, search, bounds, cursor?.id)) {
    const last = items.at(-1);
    if (items.length === size && last !== undefined) {
      return { items, next: encodeCursor({ direction: "older", id: last.id }) };
    }
    items.push(post);
  }
  return { items };
}

/** Yields every result of a search, newest first, below the id `before` if there is one. */
export function* postsFound(
  { world, viewer, now }: SearchView,
  search: SearchExpression,
  bounds: ListBounds,
  before?: string,
): Generator<PostRow> {
  const below = lowerId(bounds.untilId, before);
  for (const post of newerThan(candidatesOf(world, search, below), bounds.sinceId)) {
    if (!isWithin(post, bounds) || isLate(world, post.id, now)) continue;
    if (!matches(search, new PostFacts(world, post))) continue;
    if (hiddenPostReason(world, viewer, post) === undefined) yield post;
  }
}

/** Returns whether a post fulfils the whole search. */
export function matches(search: SearchExpression, facts: PostFacts): boolean {
  switch (search.kind) {
    case "clause":
      return search.clause.matches(facts);
    case "not":
      return !matches(search.part, facts);
    case "all":
      return search.parts.every((part) => matches(part, facts));
    case "any":
      return search.parts.some((part) => matches(part, facts));
  }
}

/** Yields the posts that may match, newest first: from the shortest index entries, else all posts. */
function candidatesOf(
  world: SandboxWorld,
  search: SearchExpression,
  below: string | undefined,
): Iterable<PostRow> {
  const lists = shortestLists(world, search);
  const table = posts.in(world);
  if (lists === undefined) return table.descending("every", ALL_POSTS, below);
  return merge(
    lists.map((list) => candidatePosts(world, list, below)),
    ({ id }) => id,
    -1,
  );
}

function candidatePosts(
  world: SandboxWorld,
  { index, value }: CandidateList,
  below: string | undefined,
): Iterable<PostRow> {
  const table = posts.in(world);
  if (index !== "id") return table.descending(index, value, below);
  const post = table.get(value);
  if (post === undefined || !isListed(post)) return [];
  return below === undefined || compareIds(post.id, below) < 0 ? [post] : [];
}

/**
 * Returns the smallest set of index entries that contains every match; `undefined` if every post must be checked. Of
 * parts that must all match, one part's entries suffice.
 */
function shortestLists(
  world: SandboxWorld,
  search: SearchExpression,
): readonly CandidateList[] | undefined {
  switch (search.kind) {
    case "clause":
      return search.clause.candidates?.(world);
    case "not":
      return undefined;
    case "all":
      return search.parts
        .flatMap((part) => {
          const lists = shortestLists(world, part);
          return lists === undefined ? [] : [{ lists, size: sizeOf(world, lists) }];
        })
        .sort((a, b) => a.size - b.size)[0]?.lists;
    case "any": {
      const parts = search.parts.map((part) => shortestLists(world, part));
      return parts.includes(undefined) ? undefined : parts.flatMap((lists) => lists ?? []);
    }
  }
}

function sizeOf(world: SandboxWorld, lists: readonly CandidateList[]): number {
  const table = posts.in(world);
  return lists.reduce(
    (sum, { index, value }) => sum + (index === "id" ? 1 : table.count(index, value)),
    0,
  );
}
