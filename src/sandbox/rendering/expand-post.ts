import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import { mentionedIn } from "../model/text/mentions.ts";
import { type PostRow, posts, versionsOf } from "../model/posts.ts";
import type { Includes } from "./includes.ts";
import { referencesOf } from "./posts.ts";

/** Post field that an expansion adds to the response: it contains the ids by which the client finds the objects. */
const EXPANDED_FIELDS: Readonly<Record<string, string>> = {
  author_id: "author_id",
  username: "author_id",
  in_reply_to_user_id: "in_reply_to_user_id",
  edit_history_post_ids: "edit_history_post_ids",
  "entities.mentions.username": "entities",
  "entities.note.mentions.username": "note_post",
  "geo.place_id": "geo",
  "attachments.media_keys": "attachments",
  "attachments.poll_ids": "attachments",
  "attachments.media_source_tweet": "attachments",
  referenced_posts: "referenced_posts",
  "referenced_posts.id": "referenced_posts",
  "referenced_posts.id.author_id": "referenced_posts",
  "referenced_posts.id.attachments.media_keys": "referenced_posts",
};

/** Returns the post fields that the expansions of a request add. */
export function expandedFields(expansions: ReadonlySet<string>): string[] {
  return [...expansions].flatMap((name) => EXPANDED_FIELDS[name] ?? []);
}

/** Adds to `includes` the objects that a post refers to, as far as the request's expansions select them. */
export function expandPost(
  world: SandboxWorld,
  post: PostRow,
  expansions: ReadonlySet<string>,
  includes: Includes,
): void {
  if (expansions.size === 0) return;
  const wants = (...names: string[]): boolean => names.some((name) => expansions.has(name));
  if (wants("author_id", "username")) includes.user(post.authorId, "author_id");
  if (wants("in_reply_to_user_id") && post.replyToUserId !== undefined) {
    includes.user(post.replyToUserId, "in_reply_to_user_id");
  }
  if (wants("entities.mentions.username", "entities.note.mentions.username")) {
    for (const id of mentionedIn(world, post)) includes.user(id, "entities.mentions.username");
  }
  if (wants("attachments.media_keys")) mediaOf(world, post, includes);
  if (wants("attachments.poll_ids") && post.pollId !== undefined) includes.poll(post.pollId);
  if (wants("geo.place_id") && post.placeId !== undefined) includes.place(post.placeId);
  if (wants("edit_history_post_ids")) {
    for (const { id } of versionsOf(world, post)) includes.post(id, "edit_history_post_ids");
  }
  expandReferences(world, post, expansions, includes);
}

function expandReferences(
  world: SandboxWorld,
  post: PostRow,
  expansions: ReadonlySet<string>,
  includes: Includes,
): void {
  const author = expansions.has("referenced_posts.id.author_id");
  const media = expansions.has("referenced_posts.id.attachments.media_keys");
  const parameter = expansions.has("referenced_posts") ? "referenced_posts" : "referenced_posts.id";
  if (!author && !media && !expansions.has(parameter)) return;
  const expanded = [...(author ? ["author_id"] : []), ...(media ? ["attachments"] : [])];
  for (const { id } of referencesOf(post)) {
    const referenced = includes.post(id, parameter, expanded);
    if (referenced === undefined) continue;
    if (author) includes.user(referenced.authorId, "referenced_posts.id.author_id");
    if (media) mediaOf(world, referenced, includes);
  }
}

function mediaOf(world: SandboxWorld, post: PostRow, includes: Includes): void {
  const shown = post.repostOf === undefined ? post : posts.in(world).get(post.repostOf);
  for (const id of shown?.mediaIds ?? []) includes.media(id);
}
