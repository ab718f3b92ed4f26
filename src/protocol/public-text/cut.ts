import { entitiesOf, type TextEntity } from "./entities.ts";

let segmenter: Intl.Segmenter | undefined;
let wordSegmenter: Intl.Segmenter | undefined;

/**
 * Cuts a text to at most `length` code points, including the ellipsis at its end. A shorter text stays unchanged.
 * Graphemes, links and mentions stay whole, because half a link would be another address, and half a mention another
 * person.
 */
export function cut(text: string, length: number): string {
  const points = Array.from(text);
  if (points.length <= length) return text;
  if (length <= 0) return "";
  const end = boundaryBefore(points, length - 1);
  const whole = entitiesOf(text).filter(isAddress);
  const halved = whole.find((at) => at.start < end && end < at.end);
  const shown = points.slice(0, halved?.start ?? end).join("");
  // a part of a word that is too long for a mention may be one
  const last = entitiesOf(`${shown}…`).findLast(isAddress);
  const isNew = last !== undefined && !whole.some(({ start }) => start === last.start);
  return `${isNew ? points.slice(0, last.start).join("") : shown}…`;
}

function isAddress({ kind }: TextEntity): boolean {
  return kind === "url" || kind === "mention";
}

/** Ends of the graphemes of a text, in UTF-16 units. */
export function characterEnds(text: string): readonly number[] {
  segmenter ??= new Intl.Segmenter("und", { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ index, segment }) => index + segment.length);
}

/** The last grapheme boundary up to `at`, in code points. */
function boundaryBefore(points: readonly string[], at: number): number {
  segmenter ??= new Intl.Segmenter("und", { granularity: "grapheme" });
  let boundary = 0;
  // A grapheme may extend beyond `at`, so the segmenter gets enough text after `at` to see the whole grapheme.
  const part = points.slice(0, at + MAX_CHARACTER_POINTS).join("");
  for (const { segment } of segmenter.segment(part)) {
    const next = boundary + Array.from(segment).length;
    if (next > at) break;
    boundary = next;
  }
  return boundary;
}

/** Maximum number of code points of a grapheme that is kept whole. The longest emoji sequences have ten. */
const MAX_CHARACTER_POINTS = 40;

/** Letters of scripts without spaces between words. */
const UNSPACED =
  /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Khmer}\p{scx=Lao}\p{scx=Myanmar}]/u;
/** Characters before which a line may begin, in scripts without spaces: letters, but no signs of repetition. */
const LINE_START = /^(?![\p{Lm}\u0e2f\u0eaf])[\p{L}\p{Ps}\p{Pi}]/u;
const OPENING = /^[\p{Ps}\p{Pi}]/u;

/** Positions between words of scripts without spaces, at which a text may be divided; ascending, in UTF-16 units. */
export function unspacedWordEnds(text: string): readonly number[] {
  const ends: number[] = [];
  let before = "";
  wordSegmenter ??= new Intl.Segmenter("und", { granularity: "word" });
  for (const { index, segment } of wordSegmenter.segment(text)) {
    const isUnspaced = UNSPACED.test(before) && UNSPACED.test(segment);
    if (isUnspaced && !OPENING.test(before) && LINE_START.test(segment)) ends.push(index);
    before = Array.from(segment).at(-1) ?? "";
  }
  return ends;
}
