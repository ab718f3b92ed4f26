/** Letters of scripts without spaces between words. */
const UNSPACED =
  /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Khmer}\p{scx=Lao}\p{scx=Myanmar}]/u;
/** Characters before which a line may begin, in scripts without spaces: letters, but no signs of repetition. */
const LINE_START = /^(?![\p{Lm}\u0e2f\u0eaf])[\p{L}\p{Ps}\p{Pi}]/u;
const OPENING = /^[\p{Ps}\p{Pi}]/u;

let segmenter: Intl.Segmenter | undefined;

/** Positions between words of scripts without spaces, at which a text may be divided; ascending, in UTF-16 units. */
export function unspacedWordEnds(text: string): readonly number[] {
  const ends: number[] = [];
  let before = "";
  segmenter ??= new Intl.Segmenter("und", { granularity: "word" });
  for (const { index, segment } of segmenter.segment(text)) {
    const isUnspaced = UNSPACED.test(before) && UNSPACED.test(segment);
    if (isUnspaced && !OPENING.test(before) && LINE_START.test(segment)) ends.push(index);
    before = Array.from(segment).at(-1) ?? "";
  }
  return ends;
}
