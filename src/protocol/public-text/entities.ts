import { LATIN_ACCENTS, linksIn } from "./links.ts";

/** A mention, tag or link in a public text. Offsets count code points; `end` is exclusive. */
export interface TextEntity {
  readonly kind: "mention" | "hashtag" | "cashtag" | "url";
  /** Text without the leading `@`, `#` or `$`; a link unchanged. */
  readonly word: string;
  /** Name of the list with a slash, such as `/friends`, if a list is mentioned. */
  readonly list?: string;
  readonly start: number;
  readonly end: number;
}

/** Characters of which every entity contains at least one. Fast path: most texts contain none. */
const SIGNS = /[@＠#＃$.]/;

/**
 * Finds the mentions, tags and links of a public text, in order.
 *
 * Follows the rules that the platform publishes for clients. If two entities overlap, links take precedence over tags,
 * and earlier entities over later ones.
 *
 * @returns Entities with `start` and `end` in code points from 0, like the platform's own. To cut by these offsets,
 *   slice `Array.from(text)`.
 *
 * @example
 * for (const { kind, word, start, end } of entitiesOf("@ana see example.com #tea")) console.log(kind, word, start, end);
 */
export function entitiesOf(text: string): TextEntity[] {
  if (!SIGNS.test(text)) return [];
  const links = linksIn(text).map(({ start, end }) => ({
    kind: "url" as const,
    word: text.slice(start, end),
    start,
    end,
  }));
  const isInLink = ({ start, end }: Span): boolean =>
    links.some((link) => start < link.end && link.start < end);
  const others = [...mentionsIn(text), ...hashtagsIn(text), ...cashtagsIn(text)].filter(
    (one) => !isInLink(one),
  );
  const all = [...links, ...others].toSorted((a, b) => a.start - b.start);
  return inCodePoints(text, all);
}

/** An entity whose offsets count UTF-16 units. */
type Span = TextEntity;

const MENTION =
  /(?<before>^|[^A-Za-z0-9_!#$%&*@＠]|(?:^|[^A-Za-z0-9_+~.-])(?:rt|RT|rT|Rt):?)(?<sign>[@＠])(?<name>[A-Za-z0-9_]{1,15})(?![A-Za-z0-9_])(?<list>\/[A-Za-z][A-Za-z0-9_-]{0,24})?/g;
/** Matches text directly after `@name` because of which the platform sees no mention, as in `@ana@` or `@http://`. */
const NO_MENTION_BEFORE = new RegExp(`^(?:[@＠${LATIN_ACCENTS}]|://)`);

function mentionsIn(text: string): Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(MENTION)) {
    const { before = "", name = "", list } = match.groups ?? {};
    const start = match.index + before.length;
    const end = match.index + match[0].length;
    if (NO_MENTION_BEFORE.test(text.slice(end))) continue;
    spans.push({ kind: "mention", word: name, ...(list !== undefined && { list }), start, end });
  }
  return spans;
}

/** Characters of hashtags besides letters, marks and digits. */
const TAG_SIGNS =
  "_\\u200c\\u200d\\ua67e\\u05be\\u05f3\\u05f4\\uff5e\\u301c\\u309b\\u309c\\u30a0\\u30fb\\u3003\\u0f0b\\u0f0c\\u00b7";
const TAG_LETTER = "\\p{L}\\p{M}";
const TAG_CHARACTER = `[${TAG_LETTER}\\p{Nd}${TAG_SIGNS}]`;
/** The lookahead takes all characters of a tag at once: trying each shorter tag would take seconds for a long text. */
const HASHTAG = new RegExp(
  `(?<=^|\\ufe0e|\\ufe0f|[^&${TAG_LETTER}\\p{Nd}${TAG_SIGNS}])[#＃](?!\\ufe0f|\\u20e3)(?=(?<word>${TAG_CHARACTER}+))\\k<word>(?![#＃]|://)`,
  "gu",
);
const HAS_LETTER = new RegExp(`[${TAG_LETTER}]`, "u");

function hashtagsIn(text: string): Span[] {
  return [...text.matchAll(HASHTAG)].flatMap((match) => {
    const word = match.groups?.["word"] ?? "";
    if (!HAS_LETTER.test(word)) return [];
    return [
      { kind: "hashtag" as const, word, start: match.index, end: match.index + match[0].length },
    ];
  });
}

const CASHTAG =
  /(?<=^|[\s\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069])\$(?<word>[a-z]{1,6}(?:[._][a-z]{1,2})?)(?=$|\s|[!-/:-@[-`{-~])/gi;

function cashtagsIn(text: string): Span[] {
  return [...text.matchAll(CASHTAG)].map((match) => ({
    kind: "cashtag" as const,
    word: match.groups?.["word"] ?? "",
    start: match.index,
    end: match.index + match[0].length,
  }));
}

function inCodePoints(text: string, spans: readonly Span[]): TextEntity[] {
  let units = 0;
  let points = 0;
  const pointAt = (unit: number): number => {
    for (; units < unit; points += 1) units += (text.codePointAt(units) ?? 0) > 0xff_ff ? 2 : 1;
    return points;
  };
  return spans.map((span) => {
    const start = pointAt(span.start);
    return { ...span, start, end: pointAt(span.end) };
  });
}
