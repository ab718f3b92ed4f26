import { entitiesOf } from "../../../protocol/public-text/entities.ts";

/** Matches words; in scripts written without spaces, each letter is a word. */
const WORDS =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|\p{RI}{2}|\p{Extended_Pictographic}[\u{FE0F}\u{200D}\p{EMod}\p{Extended_Pictographic}]*|[\p{L}\p{N}\p{M}_]+/gu;

/** Matches plain ASCII, for which the simpler pattern is much faster. */
const PLAIN = /^[\0-\x7f]*$/;
const PLAIN_WORDS = /[a-z0-9_]+/g;

/** Matches the signs of tags and mentions. */
const SIGNS = /[@#$]/;

const SIGN = { hashtag: "#", mention: "@", cashtag: "$" } as const;

/** Returns the words of a text in order, in lower case; punctuation separates words and is dropped. */
export function wordsOf(text: string): string[] {
  if (PLAIN.test(text)) return text.toLowerCase().match(PLAIN_WORDS) ?? [];
  return text.normalize("NFC").toLowerCase().match(WORDS) ?? [];
}

/** Returns the search terms of a text, each once: its words, and its tags and mentions with their sign. */
export function termsOf(text: string): string[] {
  const terms = new Set(wordsOf(text));
  if (!SIGNS.test(text)) return [...terms];
  for (const { kind, word } of entitiesOf(text)) {
    if (kind !== "url") terms.add(SIGN[kind] + word.toLowerCase());
  }
  return [...terms];
}
