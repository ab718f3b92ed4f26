import { POST_LENGTH } from "../limits.ts";
import { characterEnds } from "./cut.ts";
import { entitiesOf } from "./entities.ts";
import { weightedLength } from "./length.ts";

/** Ends of sentences and paragraphs, with the space behind them. */
const SENTENCE_END = /[.!?…]["'”’)\]]*\s+|[。！？][”’」』）]*\s*|\n+/g;
const SPACE = /\s+/g;

/**
 * Splits a public text into parts of at most `limit` weighted characters: between sentences, else between words, else
 * between characters as readers see them. Links, mentions and tags stay whole.
 *
 * @returns Parts in order, none of which begins or ends with white space; none for a text of white space.
 */
export function split(text: string, limit = POST_LENGTH): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (weightedLength(rest) > limit) {
    const end = endOfPart(rest, limit);
    parts.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return rest === "" ? parts : [...parts, rest];
}

/** End of the first part, in UTF-16 units. */
function endOfPart(text: string, limit: number): number {
  const fits = (end: number): boolean => weightedLength(text.slice(0, end).trimEnd()) <= limit;
  const isWhole = outsideEntities(text);
  const sentence = lastFitting(endsOf(text, SENTENCE_END).filter(isWhole), fits);
  const characters = characterEnds(text);
  const whole = characters.filter(isWhole);
  const longest = lastFitting(whole, fits) ?? lastFitting(characters, fits) ?? characters[0] ?? 1;
  // A sentence that ends in the first half would leave more parts than are needed.
  if (sentence !== undefined && sentence > longest / 2) return sentence;
  return lastFitting(endsOf(text, SPACE).filter(isWhole), fits) ?? longest;
}

/** The last of the ascending `ends` that fits; a longer part never fits where a shorter one does not. */
function lastFitting(ends: readonly number[], fits: (end: number) => boolean): number | undefined {
  let from = 0;
  let to = ends.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (fits(ends[middle] ?? 0)) from = middle + 1;
    else to = middle;
  }
  return ends[from - 1];
}

function endsOf(text: string, pattern: RegExp): readonly number[] {
  return [...text.matchAll(pattern)].map((match) => match.index + match[0].length);
}

/** Tells whether a place in UTF-16 units is outside of links, mentions and tags. */
function outsideEntities(text: string): (place: number) => boolean {
  const units = unitsAt(text);
  const spans = entitiesOf(text).map(({ start, end }) => [units[start] ?? 0, units[end] ?? 0]);
  return (place) => !spans.some(([start = 0, end = 0]) => start < place && place < end);
}

/** Offset in UTF-16 units by offset in code points. */
function unitsAt(text: string): readonly number[] {
  const units = [0];
  for (const point of text) units.push((units.at(-1) ?? 0) + point.length);
  return units;
}

/** Cuts a public text to at most `limit` weighted characters, the last of them an ellipsis; links stay whole. */
export function cutToWeight(text: string, limit = POST_LENGTH): string {
  if (weightedLength(text) <= limit) return text;
  const [first = ""] = split(text, limit - weightedLength("…"));
  return `${first}…`;
}
