const ASCII = /^[ -~\n\r\t]*$/;
const ASCII_SPACE = /[\n\r\t]| {2}/;

/**
 * Text as the language compares it, so that what people take for the same is the same: without case
 * (`ß` as `ss`, `ς` as `σ`, `İ` and `ı` as `i`), without the skin colour of a picture, and `tidy`.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return oneSpace(text).toLowerCase();
  return caseFolded(tidied(text).replaceAll(SKIN, "")).normalize("NFKC");
}

/**
 * Text with its case, and without what can't be seen: compatibility forms unified (NFKC), format
 * characters dropped, curly quotes and hyphens straight, a run of white space one space.
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

/** What joins two pictures to one stays, and so do the tags of a flag: a family is not a woman, England is not Scotland. */
const UNSEEN =
  /(\u{1f3f4}[\u{e0020}-\u{e007e}]{1,10}\u{e007f}|\u200d(?<=\p{Extended_Pictographic}[\ufe0e\ufe0f\p{Emoji_Modifier}]*\u200d)(?=\p{Extended_Pictographic}))|[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

const SKIN = /(?<=\p{Extended_Pictographic})\p{Emoji_Modifier}+/gu;

const WHITE_SPACE = /[\s\u0085]+/g;

function tidied(text: string): string {
  return (
    text
      // NFKC would make a space and an accent of the first, two single ones of the second
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
 * By code point: to lower case by way of the upper one, which unites what has one capital (`ß` and `ss`).
 * The dot that the small form of `İ` keeps is dropped.
 */
function caseFolded(text: string): string {
  return text
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll("\u03c2", "\u03c3")
    .replaceAll("i\u0307", "i");
}
