import { entitiesOf } from "../../../protocol/public-text/entities.ts";

/** Letters of scripts that are written without spaces, and signs that only these scripts have, such as `ー`. */
const UNSPACED = String.raw`[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]&&[\p{L}\p{M}]]`;
const EMOJI = String.raw`\p{Extended_Pictographic}[\u{FE0F}\p{EMod}]*`;

/** Matches words. Each letter of an unspaced script is a word, and so is each emoji, with those that it is joined to. */
const WORDS = new RegExp(
  String.raw`${UNSPACED}|\p{RI}{2}|${EMOJI}(?:\u{200D}${EMOJI})*|[[\p{L}\p{N}\p{M}_]--${UNSPACED}]+`,
  "gv",
);

/** Matches plain ASCII, for which the simpler pattern is much faster. */
const PLAIN = /^[\0-\x7f]*$/;
const PLAIN_WORDS = /[a-z0-9_]+/g;

/** Matches the signs of tags and mentions, as ASCII and as full-width characters. */
const SIGNS = /[@＠#＃$]/;

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
