import { defaultEmojiResolver, type EmojiValue, NotImplementedError } from "chat";
import type { SaidRaw } from "./message.ts";
import { idOnPlatform, ownOf } from "./say.ts";
import { placeOf } from "./thread-place.ts";
import type { Turn } from "./turn.ts";

const HEARTS = new Set(["❤️", "♥️", "❤"]);
const HEART_NAMES = new Set(["heart", "like", "red_heart"]);

/**
 * Edits a post of the account. The platform creates a new post that replaces the old one.
 *
 * @throws {NotImplementedError} for a direct message.
 */
export async function edit(
  turn: Turn,
  threadId: string,
  messageId: string,
  text: string,
): Promise<SaidRaw> {
  const first = postWith(threadId, messageId, "editing of messages");
  const editOf = turn.edited.get(first) ?? first;
  const { id } = await turn.ctx.step(stepOf(turn, "edit"), () =>
    turn.ctx.client.posts.create({ text, editOf }),
  );
  turn.edited.set(first, id);
  return ownOf(turn, { id, threadId, text });
}

/** Deletes a post, or a message from the account's own view. */
export async function remove(turn: Turn, threadId: string, messageId: string): Promise<void> {
  const { client } = turn.ctx;
  const id = idOnPlatform(messageId, "deleting");
  const { kind } = placeOf(threadId);
  await turn.ctx.step(stepOf(turn, "delete"), () =>
    kind === "dm" ? client.dms.deleteEvent(id) : client.posts.delete(turn.edited.get(id) ?? id),
  );
}

/** Likes a post. @throws {NotImplementedError} for another reaction than a heart, and for a message. */
export async function like(
  { ctx }: Turn,
  threadId: string,
  messageId: string,
  emoji: EmojiValue | string,
): Promise<void> {
  mustBeLike(emoji);
  const postId = postWith(threadId, messageId, "reactions to messages");
  await ctx.send({ type: "like", postId, to: ctx.sender.id });
}

/** Removes a like of a post. @throws {NotImplementedError} for another reaction than a heart, and for a message. */
export async function unlike(
  turn: Turn,
  threadId: string,
  messageId: string,
  emoji: EmojiValue | string,
): Promise<void> {
  mustBeLike(emoji);
  const { client, account } = turn.ctx;
  const postId = postWith(threadId, messageId, "reactions to messages");
  await turn.ctx.step(stepOf(turn, "unlike"), () =>
    client.likes.delete({ userId: account.id, postId }),
  );
}

/** Returns a name for `ctx.step` that is unique within the event, and the same when the handlers run again. */
function stepOf(turn: Turn, what: string): string {
  return `chat-sdk ${what} ${turn.ordinal()}`;
}

/**
 * Returns the platform's id of a post.
 *
 * @param what Name of the change in errors, such as `editing of messages`.
 * @throws {NotImplementedError} for a direct message, which the platform can't change in this way.
 */
function postWith(threadId: string, messageId: string, what: string): string {
  if (placeOf(threadId).kind === "post") return idOnPlatform(messageId, what);
  throw new NotImplementedError(`the platform has no ${what}: it goes for posts only`, what);
}

function mustBeLike(emoji: EmojiValue | string): void {
  const name = typeof emoji === "string" ? emoji.toLowerCase() : emoji.name;
  if (HEART_NAMES.has(name) || HEARTS.has(defaultEmojiResolver.toGChat(emoji))) return;
  throw new NotImplementedError(
    `the platform knows likes only: react with emoji.heart, not with ${String(emoji)}`,
    "reactions",
  );
}
