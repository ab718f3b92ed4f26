import { digitValue } from "./written-number.ts";

const ASCII = /^[ -~\n\r\t]*$/;
const ASCII_SPACE = /[\n\r\t]| {2}/;

/**
 * Normalizes a text for comparison: like {@link tidy}, and also case-folded (`ß` as `ss`, `ς` as `σ`, `İ` and `ı` as
 * `i`, Greek without accents, as capitals are written), with ASCII digits, without marks that writers may omit, and
 * without the skin tones of emoji and the frames of keycaps (`1️⃣` as `1`).
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return oneSpace(text).toLowerCase();
  const bareEmoji = tidied(text).replaceAll(SKIN, "").replaceAll(KEYCAP, "");
  const plain = oneSpace(bareEmoji.replaceAll(OMITTED, ""));
  return composed(caseFolded(plain).replaceAll(VARIANT, plainVariant));
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
  return ASCII.test(text) ? oneSpace(text) : composed(tidied(text));
}

function oneSpace(text: string): string {
  return ASCII_SPACE.test(text) ? text.replaceAll(/[ \n\r\t]+/g, " ") : text;
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

/** Marks that most writers omit: Hebrew points and accents, Arabic vowel marks, and the Arabic stretching line. */
const OMITTED = /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u0652\u0670]/g;

/** Letters of which writers use either form, by keyboard or habit, digits outside ASCII, and Greek letters. */
const VARIANT =
  /[\u0451\u06a9\u06cc]|(?![0-9])\p{Nd}|(?=\p{L})[\u0370-\u03ff\u1f00-\u1fff]\p{M}*/gu;
/** Plain forms of single characters. Digits are added when a text contains them. */
const VARIANTS: Record<string, string> = {
  // Cyrillic io as ie, Persian kaf and yeh as the Arabic ones
  "\u0451": "\u0435",
  "\u06a9": "\u0643",
  "\u06cc": "\u064a",
};

function plainVariant(character: string): string {
  if (GREEK.test(character)) return character.normalize("NFD").replaceAll(/\p{M}/gu, "");
  return (VARIANTS[character] ??= String(digitValue(character)));
}

const GREEK = /^[\u0370-\u03ff\u1f00-\u1fff]/;

/** Vowels AM of Thai and Lao, which NFKC takes apart. Some keyboards put the tone mark between the two parts. */
const THAI_AM = /\u0e4d([\u0e48-\u0e4b]?)\u0e32/g;
const LAO_AM = /\u0ecd([\u0ec8-\u0ecb]?)\u0eb2/g;

/** Composes a text (NFKC). Keeps the vowels AM whole: the dictionaries that find word ends contain the whole form. */
function composed(text: string): string {
  return text.normalize("NFKC").replaceAll(THAI_AM, "$1\u0e33").replaceAll(LAO_AM, "$1\u0eb3");
}

function tidied(text: string): string {
  return (
    text
      // NFKC would turn the first into a space and an accent, the second into two single primes
      .replaceAll("\u00b4", "'")
      .replaceAll("\u2033", '"')
      // the same sign, depending on the keyboard
      .replaceAll("\u301c", "\uff5e")
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
