const PLAIN = /^[ -~]*$/;
let segmenter: Intl.Segmenter | undefined;

/**
 * Splits a text into graphemes. The segmenter is created at the first use, since its creation takes as long as a
 * command's start.
 */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
}

const WIDE =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;

/** Number of terminal columns that `text` occupies. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemesOf(text)) width += WIDE.test(segment) ? 2 : 1;
  // the vowels AM of Thai and Lao have a column of their own, although they are part of a grapheme
  width += text.match(/(?<=\S)[\u0e33\u0eb3]/g)?.length ?? 0;
  return width;
}

/** Cuts `text` to `width` columns, with an ellipsis if it was cut. */
export function truncated(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let shownText = "";
  let used = 0;
  for (const { segment } of graphemesOf(text)) {
    used += displayWidth(segment);
    if (used > width - 1) break;
    shownText += segment;
  }
  return `${shownText}…`;
}

/** Pads `text` with spaces to `width` columns. */
export function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}
