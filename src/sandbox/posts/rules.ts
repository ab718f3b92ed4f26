import { tied, type User, users } from "../accounts/entities.ts";
import type { App } from "../apps/entities.ts";
import { Refusal } from "../kernel/refusal.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { attachedTo } from "./attached.ts";
import { editedPost } from "./editing.ts";
import { type Post, posts } from "./entities.ts";
import type { PostInput } from "./input.ts";
import { lengthFor, weight } from "./length.ts";
import { refuseReply } from "./replying.ts";
import { unknownValue } from "./unknown.ts";
import { versionsOf } from "./versions.ts";
import { unseenPost } from "./visible.ts";
import { createPost, deletePost } from "./write.ts";

/** The same text by the same user within this time is a duplicate. */
const DUPLICATE_MS = 24 * 60 * 60_000;

/** How many of one's own latest posts are looked through for a duplicate. */
const DUPLICATES_AMONG = 50;

/** What may not stand beside each other in one post. */
const EXCLUSIVE = ["media", "poll", "quote_post_id", "card_uri"] as const;

/** @throws {Refusal} 400 or 403 where the post may not be made. */
export function publish(sandbox: Sandbox, app: App, author: User, input: PostInput): Post {
  const text = input.text ?? "";
  refuseShape(author, text, input);
  const edited = input.edit_options?.previous_post_id;
  const replaces = edited === undefined ? undefined : editedPost(sandbox, author, edited);
  const replyTo = referenced(sandbox, author, input.reply?.in_reply_to_post_id, REPLY);
  if (replyTo !== undefined) refuseReply(sandbox, author, replyTo);
  const quoteOf = referenced(sandbox, author, input.quote_post_id, "quote_tweet_id");
  refuseDuplicate(sandbox, author, text, replyTo?.id);
  return createPost(sandbox, author, {
    text,
    replyTo,
    quoteOf,
    replaces,
    appId: app.id,
    ...attachedTo(sandbox, author, input),
  });
}

const REPLY = "reply.in_reply_to_tweet_id";

/** Deletes one's own post in all its versions. @throws {Refusal} 403 where it is somebody else's. */
export function unpublish(sandbox: Sandbox, user: User, post: Post): void {
  if (post.authorId !== user.id) {
    throw Refusal.forbidden("You are not authorized to delete this Tweet.", { v1: 183 });
  }
  for (const version of versionsOf(sandbox.world, post)) {
    if (version.deletedAt === undefined) deletePost(sandbox, version);
  }
}

/** Hides a reply in a conversation that `user` began, or shows it again. @throws {Refusal} 403. */
export function hideReply(sandbox: Sandbox, user: User, reply: Post, hidden: boolean): void {
  const table = posts.in(sandbox.world);
  if (reply.replyTo === undefined || table.get(reply.conversationId)?.authorId !== user.id) {
    throw Refusal.forbidden("You can only hide replies to conversations that you have started.");
  }
  table.update(reply.id, { hidden });
}

/** What is for followers is not passed on by others. @throws {Refusal} 403. */
export function refuseRepost({ world }: Sandbox, user: User, post: Post): void {
  const author = users.in(world).get(post.authorId);
  if (author?.profile["protected"] !== true || author.id === user.id) return;
  throw Refusal.forbidden("You are not permitted to repost a protected post.", { v1: 328 });
}

function refuseShape(author: User, text: string, input: PostInput): void {
  const bare =
    input.media === undefined && input.poll === undefined && input.card_uri === undefined;
  if (text.trim() === "" && bare) {
    throw Refusal.invalid([
      { message: "One of `text`, `media`, `poll` or `card_uri` is required for a post." },
    ]);
  }
  const given = EXCLUSIVE.filter((name) => input[name] !== undefined);
  if (given.length > 1) {
    throw Refusal.invalid([{ message: `Only one of [${given.join(", ")}] may be given.` }]);
  }
  const most = lengthFor(author);
  if (weight(text) > most) {
    throw Refusal.forbidden(`The text is longer than ${most} characters.`, { v1: 186 });
  }
}

/** A post that a new one refers to; a repost stands for what it repeats. @throws {Refusal} 400 or 403. */
function referenced(
  { world }: Sandbox,
  author: User,
  id: string | undefined,
  name: string,
): Post | undefined {
  if (id === undefined) return undefined;
  const post = posts.in(world).get(id);
  const why = unseenPost(world, author.id, post);
  if (why === undefined && post !== undefined) {
    return post.repostOf === undefined ? post : posts.in(world).get(post.repostOf);
  }
  if (post !== undefined && tied(world, "block", post.authorId, author.id)) {
    throw Refusal.forbidden("You have been blocked from the author of this tweet.", { v1: 136 });
  }
  if (why === "protected") throw Refusal.forbidden("You are not permitted to perform this action.");
  throw unknownValue(name, id);
}

function refuseDuplicate(
  { world, time }: Sandbox,
  author: User,
  text: string,
  replyTo: string | undefined,
): void {
  if (text === "") return;
  const since = time.now() - DUPLICATE_MS;
  let left = DUPLICATES_AMONG;
  for (const post of posts.in(world).down("author", author.id)) {
    if (left === 0) return;
    left -= 1;
    if (post.text !== text || post.at <= since || post.replyTo !== replyTo) continue;
    throw Refusal.forbidden("You are not allowed to create a Tweet with duplicate content.", {
      v1: 187,
    });
  }
}
