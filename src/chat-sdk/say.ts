import { ChatError } from "chat";
import type { Action } from "../actions/actions.ts";
import { rememberRoot } from "./roots.ts";
import type { SaidRaw } from "./message.ts";
import { type ThreadPlace, threadIdOf } from "./thread-place.ts";
import type { AnsweredPost, Turn } from "./turn.ts";
import type { Written } from "./written.ts";

/** Longest wait until a post is sent. After this time the handler continues, and the post stays queued. */
const WITHIN = "5s";
const UNSENT = "queued-";

/** Posts to a thread. The post is sent once, even if the handlers run again. */
export async function sayIn(turn: Turn, place: ThreadPlace, written: Written): Promise<SaidRaw> {
  if (place.kind === "dm") {
    const action = { type: "reply_dm", to: place.userId, ...written } as const;
    const id = await sent(turn, action);
    return ownOf(turn, { id, threadId: threadIdOf(place), text: written.text });
  }
  const threadId = threadIdOf(place);
  const under = turn.answered.get(threadId) ?? (await startOf(turn, place.rootId));
  return replyTo(turn, place, under, written);
}

/** Replies to a post of a thread. */
export async function replyTo(
  turn: Turn,
  place: ThreadPlace & { kind: "post" },
  { postId, personId }: AnsweredPost,
  written: Written,
): Promise<SaidRaw> {
  const threadId = threadIdOf(place);
  const action = { type: "reply_post", inReplyTo: postId, to: personId, ...written } as const;
  const id = await sent(turn, action);
  if (!isUnsent(id)) {
    // later posts of the thread reply to this one
    turn.answered.set(threadId, { postId: id, personId });
    await rememberRoot(turn.ctx, id, place.rootId);
  }
  return ownOf(turn, { id, threadId, text: written.text });
}

/** Publishes a post that is not a reply, which starts a thread. */
export async function post(turn: Turn, written: Written): Promise<SaidRaw> {
  const { id: accountId } = turn.ctx.account;
  const id = await sent(turn, { type: "create_post", to: accountId, ...written });
  if (isUnsent(id)) {
    throw new ChatError(
      "the post is queued and not out yet, so it has no thread: it goes out once, and what answers it comes to the handlers",
      "NOT_OUT_YET",
    );
  }
  const threadId = threadIdOf({ kind: "post", rootId: id });
  turn.answered.set(threadId, { postId: id, personId: accountId });
  await rememberRoot(turn.ctx, id, id);
  return ownOf(turn, { id, threadId, text: written.text });
}

/** Returns the platform's id of a message. @throws {ChatError} if the message is queued and has no such id yet. */
export function idOnPlatform(id: string, what: string): string {
  if (!isUnsent(id)) return id;
  throw new ChatError(
    `${what} takes a message that is out; this one is still queued`,
    "NOT_OUT_YET",
  );
}

function isUnsent(id: string): boolean {
  return id.startsWith(UNSENT);
}

/** Sends an action. Returns the platform's id, or a temporary id if the action is still queued. */
async function sent(turn: Turn, action: Action): Promise<string> {
  const own = `${UNSENT}${turn.ordinal()}`;
  if (turn.isHeldUp) {
    await turn.ctx.send(action);
    return own;
  }
  const outcome = await turn.ctx.sendNow(action, { timeout: WITHIN });
  switch (outcome.status) {
    case "sent":
      return outcome.id ?? own;
    case "failed":
    case "expired":
      throw new ChatError(`it was not sent: ${outcome.reason ?? outcome.status}`, "NOT_SENT");
    case "held":
    case "unknown":
    case "pending":
      turn.isHeldUp = true;
      return own;
  }
}

/**
 * Returns the first post of a thread to which the current event does not belong, with its author. A reply to this post
 * is ordered with the bot's other actions towards that author.
 */
async function startOf({ ctx }: Turn, rootId: string): Promise<AnsweredPost> {
  const { data } = await ctx.client.posts.get(rootId, { postFields: ["author_id"] });
  return { postId: rootId, personId: data.author_id };
}

/** A message or post by the account itself. */
export function ownOf({ ctx }: Turn, said: Pick<SaidRaw, "id" | "threadId" | "text">): SaidRaw {
  return { ...said, at: ctx.now, author: ctx.account, isMe: true, isMention: false };
}
