import { cutToWeight, isLongPost, split } from "../protocol/public-text/split.ts";
import type { Action, ActionOf } from "./actions.ts";
import { type Posting, USUAL_POSTING } from "../protocol/public-text/posting.ts";
import { inert } from "../protocol/public-text/inert.ts";

/** Maximum characters of a message. Source: the text of a new message event in the interface's description. */
export const MESSAGE_LENGTH = 10_000;

/** An action with a published text. */
export type PublicAction = ActionOf<"reply_post" | "create_post" | "quote">;

/** Whether an action publishes its text in a post, instead of sending a private message. */
export function isPublic(action: Action): action is PublicAction {
  const { type } = action;
  return type === "reply_post" || type === "create_post" || type === "quote";
}

/**
 * Splits an action into parts of the size that the platform accepts: the parts of a long message, or the posts of a
 * thread. Splits texts between paragraphs or sentences, else between words, else at any character.
 *
 * A further part is sent after the previous part, whose id is not known yet: see `threadKeys.after`.
 */
export function partsOf(action: Action, posting: Posting = USUAL_POSTING): readonly Action[] {
  if (isPublic(action)) return postsOf(action, posting);
  return action.type === "reply_dm" ? messagesOf(action) : [action];
}

function messagesOf(action: ActionOf<"reply_dm">): readonly Action[] {
  if (action.text.length <= MESSAGE_LENGTH) return [action];
  const parts = textParts(action.text, MESSAGE_LENGTH);
  const { media: _withTheLast, ...bare } = action;
  return parts.map((text, index) =>
    index === parts.length - 1 ? { ...action, text } : { ...bare, text },
  );
}

function postsOf(whole: PublicAction, posting: Posting): readonly Action[] {
  const { long = posting.long, ...action } = withThirdParties(whole, posting);
  if (posting.longform || !isLongPost(action.text)) return [action];
  if (long === "fail") return [{ ...action, long }];
  if (long === "cut") return [{ ...action, text: cutToWeight(action.text) }];
  return split(action.text).map((text, index) =>
    index === 0 ? { ...action, text } : { ...furtherPost(action), text },
  );
}

/** Applies `posts.third_parties`: makes other people's mentions and links inert, or marks the post to be held. */
function withThirdParties(action: PublicAction, { thirdParties: usual }: Posting): PublicAction {
  const { brought = [], thirdParties = usual, ...bare } = action;
  if (brought.length === 0 || thirdParties === "allow") return bare;
  if (thirdParties === "inert") return { ...bare, brought, text: inert(action.text, brought) };
  return { ...bare, brought, thirdParties };
}

/**
 * Returns the reason to hold an action back: its text has other people's mentions or links. Undefined if it can be
 * sent.
 */
export function thirdPartyReason(action: Action): string | undefined {
  if (!isPublic(action) || action.thirdParties !== "hold") return undefined;
  return `names others, by what a person wrote: ${(action.brought ?? []).join(", ")} (third_parties: hold)`;
}

/** Creates a further post of a thread, without text. Media, poll and reply settings belong to the first post. */
function furtherPost(action: PublicAction): ActionOf<"reply_post" | "create_post"> {
  if (action.type === "quote") {
    return { type: "reply_post", inReplyTo: action.postId, to: action.to, text: "" };
  }
  const { media: _media, poll: _poll, replySettings: _replySettings, ...bare } = action;
  return bare;
}

/** Splits a text into parts of up to `length` UTF-16 units, without white space at their ends. */
export function textParts(text: string, length: number): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > length) {
    const end = breakBefore(rest, length);
    parts.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return rest === "" ? parts : [...parts, rest];
}

/** Matches the end of a sentence with the white space after it. */
const SENTENCE_END = /[.!?…。！？]["'”’)\]]*\s+|\n+/g;

function breakBefore(text: string, length: number): number {
  const room = text.slice(0, length + 1);
  // A break in the first half of a part would waste space and lead to more parts.
  const sentence = lastMatch(room, SENTENCE_END);
  if (sentence > length / 2) return Math.min(sentence, length);
  const space = room.search(/\s\S*$/);
  if (space > 0) return space;
  const unit = text.charCodeAt(length);
  const splitsPair = unit >= 0xdc00 && unit <= 0xdfff;
  return splitsPair ? length - 1 : length;
}

/** Returns the index after the last match; -1 without a match. */
function lastMatch(text: string, pattern: RegExp): number {
  let end = -1;
  for (const match of text.matchAll(pattern)) end = match.index + match[0].length;
  return end;
}
