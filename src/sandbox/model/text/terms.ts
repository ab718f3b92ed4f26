import { entitiesOf } from "../../../protocol/public-text/entities.ts";

/** Words; in scripts written without spaces, each letter is one. */
const WORDS =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|\p{RI}{2}|\p{Extended_Pictographic}[\u{FE0F}\u{200D}\p{EMod}\p{Extended_Pictographic}]*|[\p{L}\p{N}\p{M}_]+/gu;

/** Most text is plain ASCII, for which this is much faster. */
const PLAIN = /^[\0-\x7f]*$/;
const PLAIN_WORDS = /[a-z0-9_]+/g;

/** Every tag and mention has one of these. */
const SIGNS = /[@#$]/;

const SIGN = { hashtag: "#", mention: "@", cashtag: "$" } as const;

/** The words of a text in order, in lower case; punctuation separates them and is dropped. */
export function wordsOf(text: string): string[] {
  if (PLAIN.test(text)) return text.toLowerCase().match(PLAIN_WORDS) ?? [];
  return text.normalize("NFC").toLowerCase().match(WORDS) ?? [];
}

/** The search terms of a text: its words, and its tags and mentions with their sign; each once. */
export function termsOf(text: string): string[] {
  const terms = new Set(wordsOf(text));
  if (!SIGNS.test(text)) return [...terms];
  for (const { kind, word } of entitiesOf(text)) {
    if (kind !== "url") terms.add(SIGN[kind] + word.toLowerCase());
  }
  return [...terms];
}
