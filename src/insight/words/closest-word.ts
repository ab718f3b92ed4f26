import { editDistance } from "../../config/did-you-mean.ts";

/** A word of a text that is nearly one that was asked for. */
export interface ClosestWord {
  readonly found: string;
  readonly wanted: string;
  /** Letters to add, drop, change or swap. */
  readonly edits: number;
}

/**
 * The words of `text` that come closest to one of `words` without being it; undefined when none is close: a third
 * of the letters may differ.
 */
export function closestWord(words: readonly string[], text: string): ClosestWord | undefined {
  const tokens = text.split(/[^\p{L}\p{N}_'-]+/u).filter((token) => token !== "");
  let best: ClosestWord | undefined;
  for (const wanted of words) {
    const length = wanted.split(" ").length;
    const most = Math.min(best === undefined ? Infinity : best.edits - 1, wanted.length / 3);
    for (const start of tokens.slice(0, MOST_TOKENS).keys()) {
      const found = tokens.slice(start, start + length).join(" ");
      if (Math.abs(found.length - wanted.length) > most) continue;
      const edits = editDistance(found, wanted, Math.floor(most) + 1);
      if (edits > 0 && edits <= most && edits < (best?.edits ?? Infinity)) {
        best = { found, wanted, edits };
      }
    }
  }
  return best;
}

/** Nobody reads on in a text that is longer. */
const MOST_TOKENS = 200;
