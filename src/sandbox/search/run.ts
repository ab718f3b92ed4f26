import { merge } from "../fields/merge.ts";
import { type Page, type Place, tokenOf } from "../fields/paging.ts";
import type { Reader } from "../fields/reader.ts";
import { compareIds } from "../kernel/ids.ts";
import type { World } from "../kernel/world.ts";
import { EVERY, isListed, type Post, posts } from "../posts/entities.ts";
import { type Bounds, lower, newerThan, within } from "../posts/sources.ts";
import { unseenPost } from "../posts/visible.ts";
import type { Candidates } from "./clause.ts";
import { Facts } from "./facts.ts";
import type { Search } from "./parse.ts";

/** A page of the posts that a search finds, the newest first. */
export function runSearch(
  { world, viewer }: Reader,
  search: Search,
  bounds: Bounds,
  size: number,
  place: Place | undefined,
): Page<Post> {
  const below = lower(bounds.untilId, place?.than);
  const items: Post[] = [];
  for (const post of newerThan(candidatesOf(world, search, below), bounds.sinceId)) {
    if (!within(post, bounds) || !matches(search, new Facts(world, post))) continue;
    if (unseenPost(world, viewer, post) !== undefined) continue;
    const last = items.at(-1);
    if (items.length === size && last !== undefined) {
      return { items, next: tokenOf({ way: "older", than: last.id }) };
    }
    items.push(post);
  }
  return { items };
}

export function matches(search: Search, facts: Facts): boolean {
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

/** Posts among which all matches are, the newest first: by the shortest lists, or else all posts. */
function candidatesOf(world: World, search: Search, below: string | undefined): Iterable<Post> {
  const lists = shortest(world, search);
  const table = posts.in(world);
  if (lists === undefined) return table.down("every", EVERY, below);
  return merge(
    lists.map((list) => listOf(world, list, below)),
    ({ id }) => id,
    -1,
  );
}

function listOf(
  world: World,
  { index, value }: Candidates,
  below: string | undefined,
): Iterable<Post> {
  const table = posts.in(world);
  if (index !== "id") return table.down(index, value, below);
  const post = table.get(value);
  if (post === undefined || !isListed(post)) return [];
  return below === undefined || compareIds(post.id, below) < 0 ? [post] : [];
}

/** The fewest lists that hold every match: of parts that are all needed one is enough. */
function shortest(world: World, search: Search): readonly Candidates[] | undefined {
  switch (search.kind) {
    case "clause":
      return search.clause.candidates?.(world);
    case "not":
      return undefined;
    case "all":
      return search.parts
        .flatMap((part) => {
          const lists = shortest(world, part);
          return lists === undefined ? [] : [{ lists, size: sizeOf(world, lists) }];
        })
        .sort((a, b) => a.size - b.size)[0]?.lists;
    case "any": {
      const parts = search.parts.map((part) => shortest(world, part));
      return parts.includes(undefined) ? undefined : parts.flatMap((lists) => lists ?? []);
    }
  }
}

function sizeOf(world: World, lists: readonly Candidates[]): number {
  const table = posts.in(world);
  return lists.reduce(
    (sum, { index, value }) => sum + (index === "id" ? 1 : table.count(index, value)),
    0,
  );
}
