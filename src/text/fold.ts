const ASCII = /^[ -~\n\r\t]*$/;
const ASCII_SPACE = /[\n\r\t]| {2}/;

/**
 * Normalizes a text for comparison: like {@link tidy}, and also case-folded (`ß` as `ss`, `ς` as `σ`, `İ` and `ı` as
 * `i`) and without the skin tones of emoji and the frames of keycaps (`1️⃣` as `1`).
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return oneSpace(text).toLowerCase();
  return caseFolded(tidied(text).replaceAll(SKIN, "").replaceAll(KEYCAP, "")).normalize("NFKC");
}

/** Normalizes a text by {@link fold} and removes punctuation at its ends, unless the text is only punctuation. */
export function bare(text: string): string {
  const folded = fold(text).trim();
  return FROM_FIRST_TO_LAST.exec(folded)?.[0] ?? folded;
}

/** Matches from the first letter or digit to the last. Takes linear time, unlike a search for punctuation at the end. */
const FROM_FIRST_TO_LAST = /[\p{L}\p{M}\p{N}](?:.*[\p{L}\p{M}\p{N}])?/su;

/**
 * Normalizes a text but keeps its case: compatibility forms unified (NFKC), invisible format characters dropped,
 * quotes and hyphens straightened, runs of white space reduced to one space.
 */
export function tidy(text: string): string {
  return ASCII.test(text) ? oneSpace(text) : tidied(text).normalize("NFKC");
}

function oneSpace(ascii: string): string {
  return ASCII_SPACE.test(ascii) ? ascii.replaceAll(/[ \n\r\t]+/g, " ") : ascii;
}

const SINGLE_QUOTES = /[\u2018-\u201b\u2032\u02b9\u02bc\u05f3]/g;
const DOUBLE_QUOTES = /[\u201c-\u201f\u05f4]/g;
const HYPHENS = /[\u2010-\u2015\u2212\u2043\u05be]/g;

/** Invisible characters. Kept: joiners between emoji (as in a family) and tags after a flag (as in Scotland's). */
const UNSEEN =
  /(\u{1f3f4}[\u{e0020}-\u{e007e}]{1,10}\u{e007f}|\u200d(?<=\p{Extended_Pictographic}[\ufe0e\ufe0f\p{Emoji_Modifier}]*\u200d)(?=\p{Extended_Pictographic}))|[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

const SKIN = /(?<=\p{Extended_Pictographic})\p{Emoji_Modifier}+/gu;

/** Frame of a keycap emoji. People answer a numbered menu with such an emoji. */
const KEYCAP = /(?<=[0-9#*])\u20e3/g;

const WHITE_SPACE = /[\s\u0085]+/g;

function tidied(text: string): string {
  return (
    text
      // NFKC would turn the first into a space and an accent, the second into two single primes
      .replaceAll("\u00b4", "'")
      .replaceAll("\u2033", '"')
      .normalize("NFKC")
      .replaceAll(SINGLE_QUOTES, "'")
      .replaceAll(DOUBLE_QUOTES, '"')
      .replaceAll(HYPHENS, "-")
      .replaceAll(UNSEEN, "$1")
      .replaceAll(WHITE_SPACE, " ")
  );
}

/**
 * Folds the case: to lower, upper and lower case, so that letters with the same capital become equal (`ß` and `ss`).
 * Drops the combining dot that `İ` leaves in lower case.
 */
function caseFolded(text: string): string {
  return text
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll("\u03c2", "\u03c3")
    .replaceAll("i\u0307", "i");
}
