import type { WorldObjects } from "../../../sandbox/control/world-objects.ts";
import { OperationError } from "../operation.ts";
import { type DataKind, MAX_READ_OBJECTS } from "./data-kinds.ts";
import type { DataScene } from "./scene.ts";
import type { LookUp, ShownObject, TableCell } from "./table.ts";

type Facts = ShownObject["facts"];
type Post = WorldObjects["posts"];

/**
 * Returns an object by kind and id.
 *
 * @throws {OperationError} if the object is not among the latest ones of its kind.
 */
export async function findObject<Kind extends keyof WorldObjects>(
  { control }: DataScene,
  kind: Kind,
  id: string,
  noun: string,
): Promise<WorldObjects[Kind]> {
  const one = (await control.objects(kind, MAX_READ_OBJECTS)).find((row) => row.id === id);
  if (one === undefined) throw missing(noun, id);
  return one;
}

export function missing(noun: string, id: string): OperationError {
  return new OperationError(`There is no ${noun} ${id} in the sandbox now.`, 404);
}

export function factsOfPost(scene: DataScene, post: Post): Facts {
  return [
    ["By", [scene.person(post.author_id)]],
    ["When", [{ at: post.created_at }]],
    ["Text", [post.text]],
    ...linked("Replies to", "posts", post.in_reply_to_post_id),
    ...linked("Quotes", "posts", post.quoted_post_id),
    ...linked("Reposts", "posts", post.reposted_post_id),
    ...linked("Media", "media", post.media_ids),
    ...linked("Poll", "polls", post.poll_id),
    ...linked("Place", "places", post.place_id),
    ...(post.deleted ? [["State", ["deleted"]] as const] : []),
  ];
}

/** Returns a row of an object's details that links to other objects by their ids; no row if there are no ids. */
export function linked(
  name: string,
  kind: DataKind,
  ids: string | readonly string[] | undefined = [],
): Facts {
  const all = typeof ids === "string" ? [ids] : ids;
  if (all.length === 0) return [];
  return [[name, all.map((id) => ({ to: `/data/${kind}/${id}`, text: id }))]];
}

export function peopleOr(scene: DataScene, ids: readonly string[]): readonly TableCell[] {
  return ids.length === 0 ? ["nobody"] : ids.map((id) => scene.person(id));
}

/**
 * Returns the posts that contain an object, such as a poll. Such an object has no endpoint, so a post is looked up
 * instead.
 */
export async function within(
  { control }: DataScene,
  fits: (post: Post) => boolean,
  lookUp: Pick<LookUp, "parameter" | "fields"> & { readonly ticked: readonly string[] },
): Promise<{ readonly posts: Facts; readonly lookUp?: LookUp }> {
  const all = (await control.objects("posts", MAX_READ_OBJECTS)).filter(fits);
  const readable = all.findLast(({ deleted }) => !deleted);
  const ids = all.map(({ id }) => id);
  return {
    posts: all.length === 0 ? [["In posts", ["in none yet"]]] : linked("In posts", "posts", ids),
    ...(readable && {
      lookUp: { ...lookUp, path: `/2/posts/${readable.id}`, expansions: lookUp.ticked, as: "app" },
    }),
  };
}
