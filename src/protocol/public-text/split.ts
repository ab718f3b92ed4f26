import { POST_LENGTH } from "../limits.ts";
import { characterEnds, unspacedWordEnds } from "./cut.ts";
import { entitiesOf } from "./entities.ts";
import { weightedLength } from "./length.ts";

/** Returns whether a text is longer than the limit of ordinary posts. */
export function isLongPost(text: string): boolean {
  // Shortcut for short texts without links: a UTF-16 unit weighs at most two. A link has a dot, and may weigh more.
  const isShort = 2 * text.length <= POST_LENGTH && !text.includes(".");
  return !isShort && weightedLength(text) > POST_LENGTH;
}

/** Ends of sentences and paragraphs, with the following space. A Greek semicolon is a question mark. */
const SENTENCE_END =
  /(?:[.!?…\p{Sentence_Terminal}]|(?<=\p{Script=Greek});)(?:["'”’“‘›)\]]|\s?»)*\s+|[。！？｡][”’」』）｣]*\s*|\n+/gu;
/**
 * White space or a comma at which a line may end: no no-break space, and none inside guillemets or before French
 * punctuation.
 */
const SPACE = /(?<![\s«])(?:(?![\u00a0\u2007\u202f])\s)+(?![\s!?:;»])|[、，；：](?!\s)/g;
/** White space that no combining mark follows. */
const BLANK = /(?:\s(?![\p{M}\p{EMod}\u200d]))*/uy;

/**
 * Splits a public text into parts of up to `limit` weighted characters: between sentences, else between words, else
 * between graphemes. Words of scripts without spaces are found by a dictionary. Links, mentions and tags stay whole. No
 * end of a part creates one that the text lacks: half a word with `@` may be a person's handle.
 *
 * @returns Trimmed parts in order; none for a text of white space.
 */
export function split(text: string, limit = POST_LENGTH): string[] {
  const whole = text.trim();
  if (weightedLength(whole) <= limit) return whole === "" ? [] : [whole];
  const breaks = breaksIn(whole);
  const parts: string[] = [];
  for (let at = 0; at < whole.length; at = BLANK.lastIndex) {
    const end = endOfPart(whole, at, breaks, limit);
    parts.push(whole.slice(at, end).trimEnd());
    BLANK.lastIndex = end;
    BLANK.exec(whole);
  }
  return parts;
}

/** Positions at which a text may be split, in UTF-16 units, ascending. */
interface Breaks {
  readonly sentences: readonly number[];
  readonly spaces: readonly number[];
  /** Ends of words in scripts without spaces. */
  readonly words: readonly number[];
  /** Ends of characters outside of links, mentions and tags. */
  readonly outside: readonly number[];
  readonly characters: readonly number[];
  /** Links, mentions and tags of the text, by their start. */
  readonly entities: ReadonlyMap<number, Span>;
}

/** Start and end in UTF-16 units. */
interface Span {
  readonly start: number;
  readonly end: number;
}

function breaksIn(text: string): Breaks {
  const characters = characterEnds(text);
  const spans = spansIn(text);
  const outside = characters.filter(outsideOf(spans));
  const allowed = new Set(outside);
  const among = (ends: readonly number[]): readonly number[] =>
    ends.filter((end) => allowed.has(end));
  return {
    sentences: among(endsOf(text, SENTENCE_END)),
    spaces: among(endsOf(text, SPACE)),
    words: among(unspacedWordEnds(text)),
    outside,
    characters,
    entities: new Map(spans.map((span) => [span.start, span])),
  };
}

/** Maximum number of ends that are tried for a part. Each end that would create a mention or link is refused. */
const MAX_TRIES = 40;

/** End of the part that begins at `at`, in UTF-16 units. */
function endOfPart(text: string, at: number, breaks: Breaks, limit: number): number {
  const fits = (end: number): boolean => weightedLength(text.slice(at, end).trimEnd()) <= limit;
  const last = (ends: readonly number[]): number | undefined => lastFitting(ends, at, fits);
  const longest =
    last(breaks.outside) ?? last(breaks.characters) ?? last(pointEnds(text, at)) ?? text.length;
  if (longest === text.length) return longest;
  const longestEnd = endUpTo(longest, at, breaks, fits);
  let end = longestEnd;
  for (let tries = 0; tries < MAX_TRIES && end > at; tries += 1) {
    const before = createdBy(text, { start: at, end }, breaks.entities);
    if (before === undefined) return end;
    end = endUpTo(lastUpTo(breaks.outside, before), at, breaks, fits);
  }
  return longestEnd;
}

/** The best end of a part that begins at `at`: between sentences or words if such an end is near `longest`. */
function endUpTo(
  longest: number,
  at: number,
  breaks: Breaks,
  fits: (end: number) => boolean,
): number {
  const before = (ends: readonly number[]): number | undefined => {
    const end = lastUpTo(ends, longest);
    return end > at && fits(end) ? end : undefined;
  };
  const sentence = before(breaks.sentences);
  // An end in the first half would waste space and lead to more parts.
  const half = at + (longest - at) / 2;
  if (sentence !== undefined && sentence > half) return sentence;
  const space = before(breaks.spaces) ?? at;
  if (space > half) return space;
  const end = Math.max(space, before(breaks.words) ?? at);
  return end > at ? end : longest;
}

/** Maximum length of the text behind an end that is searched for a new mention or link. */
const AHEAD = 300;

/**
 * Returns the position up to which a part must end so that no mention, link or tag is created by its end; undefined if
 * the end creates none. An end beside white space never creates one.
 */
function createdBy(
  text: string,
  { start, end }: Span,
  entities: ReadonlyMap<number, Span>,
): number | undefined {
  if (!/^\S\S/.test(text.slice(end - 1, end + 1))) return undefined;
  const part = text.slice(start, end);
  const atEnd = spansIn(part).findLast((span) => !/\s/.test(part.slice(span.start)));
  if (atEnd !== undefined && entities.get(start + atEnd.start)?.end !== start + atEnd.end) {
    return start + atEnd.start;
  }
  const [word = ""] = text.slice(end, end + AHEAD).split(/\s/, 1);
  return spansIn(word).every((span) => entities.has(end + span.start)) ? undefined : end - 1;
}

/** Returns the last of the ascending `ends` at which a part that starts at `at` still fits, by exponential search. */
function lastFitting(
  ends: readonly number[],
  at: number,
  fits: (end: number) => boolean,
): number | undefined {
  const first = firstIndex(0, ends.length, (index) => (ends[index] ?? 0) > at);
  const isOver = (index: number): boolean => !fits(ends[index] ?? 0);
  // Parts are much shorter than long texts, so the search widens exponentially.
  let width = 8;
  while (first + width < ends.length && !isOver(first + width)) width *= 2;
  const over = firstIndex(first, Math.min(first + width, ends.length), isOver);
  return over === first ? undefined : ends[over - 1];
}

/** Binary search for the first index from `from` on that is `wanted`; `to` if there is none. */
function firstIndex(from: number, to: number, wanted: (index: number) => boolean): number {
  while (from < to) {
    const middle = (from + to) >> 1;
    if (wanted(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** The last of the ascending `ends` up to `most`; 0 if there is none. */
function lastUpTo(ends: readonly number[], most: number): number {
  return ends[firstIndex(0, ends.length, (index) => (ends[index] ?? 0) > most) - 1] ?? 0;
}

function endsOf(text: string, pattern: RegExp): readonly number[] {
  return [...text.matchAll(pattern)].map((match) => match.index + match[0].length);
}

/** Ends of the code points of the text from `at` on, for a grapheme that is longer than a part. */
function pointEnds(text: string, at: number): readonly number[] {
  return unitsAt(text.slice(at))
    .slice(1)
    .map((units) => at + units);
}

/** Links, mentions and tags of a text. */
function spansIn(text: string): readonly Span[] {
  const entities = entitiesOf(text);
  const units = entities.length === 0 ? [] : unitsAt(text);
  return entities.map(({ start, end }) => ({ start: units[start] ?? 0, end: units[end] ?? 0 }));
}

/** Creates a predicate: whether a position in UTF-16 units is outside the ascending `spans`. */
function outsideOf(spans: readonly Span[]): (place: number) => boolean {
  return (place) => {
    const index = firstIndex(0, spans.length, (one) => (spans[one]?.end ?? 0) >= place);
    const { start, end } = spans[index] ?? { start: place, end: place };
    return place <= start || end <= place;
  };
}

/** Returns offsets in UTF-16 units, indexed by offsets in code points. */
function unitsAt(text: string): readonly number[] {
  const units = [0];
  let unit = 0;
  for (const point of text) units.push((unit += point.length));
  return units;
}

/** Cuts a public text to `limit` weighted characters including a final ellipsis; links stay whole. */
export function cutToWeight(text: string, limit = POST_LENGTH): string {
  if (weightedLength(text) <= limit) return text;
  const [first = ""] = split(text, limit - weightedLength("…"));
  return `${first}…`;
}
