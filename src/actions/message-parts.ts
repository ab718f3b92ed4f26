import type { Action } from "./actions.ts";

/** Characters of one message. Source: the text of a new message event in the interface's description. */
export const MESSAGE_LENGTH = 10_000;

/** An end of a sentence, with the space after it. */
const SENTENCE_END = /[.!?…。！？]["'”’)\]]*\s+|\n+/g;

/**
 * The actions in which `action` is done: itself, or, of a message that is longer than the platform takes, its
 * parts in order. A message is parted between paragraphs or sentences, else between words, else anywhere.
 */
export function partsOf(action: Action): readonly Action[] {
  if (action.type !== "reply_dm" || action.text.length <= MESSAGE_LENGTH) return [action];
  const parts = textParts(action.text, MESSAGE_LENGTH);
  const { media: _withTheLast, ...bare } = action;
  return parts.map((text, index) =>
    index === parts.length - 1 ? { ...action, text } : { ...bare, text },
  );
}

/** `text` in parts of at most `length` UTF-16 units, none of which begins or ends with white space. */
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

function breakBefore(text: string, length: number): number {
  const room = text.slice(0, length + 1);
  // Past the half only: a short first part would leave more parts than are needed.
  const sentence = lastMatch(room, SENTENCE_END);
  if (sentence > length / 2) return Math.min(sentence, length);
  const space = room.search(/\s\S*$/);
  if (space > 0) return space;
  const unit = text.charCodeAt(length);
  const splitsPair = unit >= 0xdc00 && unit <= 0xdfff;
  return splitsPair ? length - 1 : length;
}

/** Where the last match ends; -1 where there is none. */
function lastMatch(text: string, pattern: RegExp): number {
  let end = -1;
  for (const match of text.matchAll(pattern)) end = match.index + match[0].length;
  return end;
}
