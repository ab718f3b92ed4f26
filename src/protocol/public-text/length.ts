import { entitiesOf } from "./entities.ts";

/** Weighted characters of a link, however long it is. */
export const LINK_LENGTH = 23;
/** Weight of an emoji, however many code points it has. */
const EMOJI_LENGTH = 2;

/** Code points that weigh 1; all others weigh 2. */
const LIGHT = /^[\0-\u10ff\u2000-\u200d\u2010-\u201f\u2032-\u2037]$/;
const ALL_LIGHT = /^[\0-\u02ff]*$/;

/** Emoji with modifiers, emoji joined to one sign, flags and keycaps. */
const EMOJI_SEQUENCE =
  "\\p{RI}{2}|[0-9#*]\\ufe0f?\\u20e3|\\p{Emoji}(?:\\p{EMod}|\\ufe0f)?[\\u{e0020}-\\u{e007f}]*(?:\\u200d\\p{Emoji}(?:\\p{EMod}|\\ufe0f)?)*";
/** Digits and signs that are emoji only with a variation selector or a keycap. */
const NO_EMOJI = "[0-9#*](?!\\ufe0f?\\u20e3)|[\\u00a9\\u00ae](?!\\ufe0f)";
const EMOJI = new RegExp(`(?!${NO_EMOJI})(?:${EMOJI_SEQUENCE})`, "gu");

/**
 * Returns the weighted length of a public text, as the platform counts it. A code point of Latin, Greek, Cyrillic and
 * similar scripts weighs 1, any other 2, an emoji 2 and a link 23. A post that is not longform weighs at most 280.
 *
 * Source: the platform's published configuration, version 3.
 *
 * @returns Weighted characters, a whole number from 0.
 *
 * @example
 * console.log(weightedLength("今日は 👋🏽 example.com")); // 6 + 1 + 2 + 1 + 23
 */
export function weightedLength(text: string): number {
  const whole = text.normalize("NFC");
  const links = entitiesOf(whole).filter(({ kind }) => kind === "url");
  if (links.length === 0) return weightOf(whole);
  const points = Array.from(whole);
  let length = 0;
  let from = 0;
  for (const { start, end } of links) {
    length += weightOf(points.slice(from, start).join("")) + LINK_LENGTH;
    from = end;
  }
  return length + weightOf(points.slice(from).join(""));
}

function weightOf(text: string): number {
  if (ALL_LIGHT.test(text)) return text.length;
  let length = 0;
  const rest = text.replaceAll(EMOJI, () => {
    length += EMOJI_LENGTH;
    return "";
  });
  for (const point of rest) length += LIGHT.test(point) ? 1 : 2;
  return length;
}
