import { entitiesOf } from "../protocol/public-text/entities.ts";
import {
  numbersOf,
  textIn,
  type TextRange,
  writtenRange,
} from "../protocol/public-text/written-range.ts";
import { DIRECTION_MARKS } from "../protocol/public-text/direction-marks.ts";
import type { Mention } from "./event.ts";
import { idAt, objectAt, objectsAt, textAt, type Wire } from "./wire.ts";

/** A public text as the platform sent it, with the range that the author wrote. */
export interface WrittenPart extends TextRange {
  readonly text: string;
}

/** Marks the whole text as written by its author, for texts to which the platform adds nothing. */
export function wholeText(text: string): WrittenPart {
  return { text, start: 0, end: Infinity };
}

/**
 * Finds the range of a post's text that its author wrote.
 *
 * @param post A post of an event body.
 * @param extended The post's `extended_post`, with the text and range of a longform post.
 */
export function writtenPart(post: Wire, extended: Wire | undefined): WrittenPart {
  const text = textAt(extended, "full_text") ?? textAt(post, "text") ?? "";
  const range = writtenRange({
    text,
    range: (extended ?? post)["display_text_range"],
    short: extended && { text: textAt(post, "text") ?? "", range: post["display_text_range"] },
    answered: () => answeredHandle(post),
  });
  return { text, ...range };
}

/** Returns the text in the range that the author wrote. */
export function sliceOf(part: WrittenPart): string {
  return textIn(part.text, part);
}

/** People mentioned in a public text. */
export interface NamedPeople {
  /** Mentions typed by the author. */
  readonly mentions: readonly Mention[];
  /** Handles that the platform copied from the thread, before the author's text. */
  readonly threadMentions: readonly Mention[];
}

/**
 * Separates people mentioned by the author from handles that the platform added. People tagged in a picture,
 * whose mentions come after the author's text, are in neither list.
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

/** A handle at the beginning of a text, with the punctuation of an address: `@bot, `, `.@bot `. */
const ADDRESS = new RegExp(
  `^[\\s${DIRECTION_MARKS}]*\\.?[@＠](?<name>\\w{1,15})(?![\\w@＠/])[\\u061c\\u200e\\u200f\\u202c\\u2069]*[,:;،，、：]?\\s*`,
);

/**
 * Removes the handles that address an account: those at the beginning of a text, up to the account's own.
 *
 * `@hello_bot status`, `@ana @hello_bot: status` → `status`; `@hello_bot @ana` → `@ana`.
 *
 * @param username Handle of the account, without `@`.
 */
export function withoutAddress(text: string, username: string): string {
  const own = username.toLowerCase();
  let rest = text;
  let words = text;
  for (
    let addressMatch = ADDRESS.exec(rest);
    addressMatch !== null;
    addressMatch = ADDRESS.exec(rest)
  ) {
    rest = rest.slice(addressMatch[0].length);
    if (addressMatch.groups?.["name"]?.toLowerCase() === own) words = rest;
  }
  return words;
}

/** Handle of the author to whom a post replies; undefined if it is no reply, or a reply to its own author. */
function answeredHandle(post: Wire): string | undefined {
  const answered = idAt(post, "in_reply_to_user_id");
  if (answered === undefined || answered === idAt(objectAt(post, "user"))) return undefined;
  const named = objectsAt(objectAt(post, "entities"), "user_mentions").find(
    (one) => idAt(one) === answered,
  );
  return textAt(named, "screen_name") ?? textAt(post, "in_reply_to_screen_name");
}
