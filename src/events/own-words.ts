import { entitiesOf } from "../protocol/public-text/entities.ts";
import type { Mention } from "./event.ts";
import { idAt, objectAt, objectsAt, textAt, type Wire } from "./wire.ts";

/** A public text as it was sent, and the part of it that the author wrote. Offsets count code points. */
export interface WrittenPart {
  readonly text: string;
  readonly start: number;
  /** Offset behind the last character. */
  readonly end: number;
}

/** The whole of a text: one without handles of a thread and without links to media. */
export function wholeText(text: string): WrittenPart {
  return { text, start: 0, end: Infinity };
}

/**
 * Finds the part of a post's text that its author wrote.
 *
 * The platform says it in `display_text_range`. It writes the handles of the thread before a reply, the author who is
 * answered first, and links to media at the end. A reply without a usable range is read by that order: handles at
 * its beginning are the platform's if the first one is that of the author who is answered.
 *
 * @param post A post of an event body.
 * @param extended Its `extended_post`, which has the text and the range of a longform post.
 */
export function writtenPart(post: Wire, extended: Wire | undefined): WrittenPart {
  const text = textAt(extended, "full_text") ?? textAt(post, "text") ?? "";
  const range = rangeIn(extended ?? post, text);
  if (range !== undefined) return { text, ...range };
  // The shortened text of a longform post begins as the whole one does.
  const [start] = extended === undefined ? [] : numbersOf(post["display_text_range"]);
  return { text, start: isOffset(start, text) ? start : prefixLength(post, text), end: Infinity };
}

/** The part's characters. */
export function sliceOf({ text, start, end }: WrittenPart): string {
  if (start === 0 && end === Infinity) return text;
  return Array.from(text).slice(start, end).join("");
}

/** People named in a public text. */
export interface NamedPeople {
  /** Typed by the author. */
  readonly mentions: readonly Mention[];
  /** Inherited from the thread: their handles stand before the author's words. */
  readonly threadMentions: readonly Mention[];
}

/**
 * Tells the people whom the author names from those whose handles the platform wrote. People tagged in a picture,
 * whose mentions are behind the author's words, are in neither list.
 *
 * @param entities The `entities` object of the text.
 */
export function namedIn(part: WrittenPart, entities: Wire | undefined): NamedPeople {
  const mentions: Mention[] = [];
  const threadMentions: Mention[] = [];
  let typed: ReadonlySet<string> | undefined;
  for (const wire of objectsAt(entities, "user_mentions")) {
    const id = idAt(wire);
    if (id === undefined) continue;
    const mention = { id, username: textAt(wire, "screen_name") ?? "" };
    const [start, end] = numbersOf(wire["indices"]);
    if (start === undefined || end === undefined) {
      typed ??= new Set(part.start === 0 ? [] : handlesIn(sliceOf(part)));
      const isTyped = part.start === 0 || typed.has(mention.username.toLowerCase());
      (isTyped ? mentions : threadMentions).push(mention);
    } else if (start < part.start) threadMentions.push(mention);
    else if (end <= part.end) mentions.push(mention);
  }
  return { mentions, threadMentions };
}

/** Handles that a public text mentions, in lower case. */
export function handlesIn(text: string): string[] {
  return entitiesOf(text).flatMap(({ kind, word }) =>
    kind === "mention" ? [word.toLowerCase()] : [],
  );
}

/** A handle at the beginning of a text, with the punctuation of an address: `@bot, `. */
const ADDRESS = /^\s*[@＠](?<name>\w{1,15})(?![\w@＠/])[,:;،，、：]?\s*/;

/**
 * A text without the handles by which it addresses an account: those at its beginning, up to the account's own.
 *
 * `@hello_bot status`, `@ana @hello_bot: status` → `status`; `@hello_bot @ana` → `@ana`.
 *
 * @param username Handle of the account, without `@`.
 */
export function withoutAddress(text: string, username: string): string {
  const own = username.toLowerCase();
  let rest = text;
  let words = text;
  for (let found = ADDRESS.exec(rest); found !== null; found = ADDRESS.exec(rest)) {
    rest = rest.slice(found[0].length);
    if (found.groups?.["name"]?.toLowerCase() === own) words = rest;
  }
  return words;
}

function rangeIn(wire: Wire, text: string): Omit<WrittenPart, "text"> | undefined {
  const [start, end] = numbersOf(wire["display_text_range"]);
  if (!isOffset(start, text) || !isOffset(end, text) || start > end) return undefined;
  return { start, end };
}

function numbersOf(value: unknown): readonly (number | undefined)[] {
  return Array.isArray(value)
    ? value.map((one: unknown) => (Number.isInteger(one) ? Number(one) : undefined))
    : [];
}

function isOffset(value: number | undefined, text: string): value is number {
  return value !== undefined && value >= 0 && value <= Array.from(text).length;
}

const HANDLES = /^(?:[@＠]\w{1,15}(?:\s+|$))+/;

/** Length of the thread's handles before a reply that comes without a range, in code points. */
function prefixLength(post: Wire, text: string): number {
  const answered = idAt(post, "in_reply_to_user_id");
  const handles = HANDLES.exec(text)?.[0];
  if (answered === undefined || handles === undefined) return 0;
  if (answered === idAt(objectAt(post, "user"))) return 0;
  const first = handlesIn(handles)[0];
  const named = objectsAt(objectAt(post, "entities"), "user_mentions").find(
    (one) => idAt(one) === answered,
  );
  const handle = textAt(named, "screen_name") ?? textAt(post, "in_reply_to_screen_name");
  return handle !== undefined && handle.toLowerCase() === first ? Array.from(handles).length : 0;
}
