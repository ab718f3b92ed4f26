const WORD_PART = /[\p{L}\p{M}\p{N}\p{Pc}\p{Join_Control}]/u;
/** Characters that never begin a word, because they modify the character before them. */
const ATTACHED = /[\p{M}\p{Join_Control}\u{e0020}-\u{e007f}]/u;
/** Regional indicators, two of which form a flag. */
const FLAG_HALVES = /\p{Regional_Indicator}+$/u;
/** Number of UTF-16 units before a position that are searched for regional indicators: enough for 16 flags. */
const LONGEST_FLAGS = 64;
/** Scripts without spaces between words, as a part of a character class. */
export const UNSPACED_SCRIPTS =
  "\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Khmer}\\p{scx=Lao}\\p{scx=Myanmar}";
const NO_SPACES = new RegExp(`[${UNSPACED_SCRIPTS}]`, "u");

/**
 * Whether `text` contains `word` as whole words. A word ends where no letter, mark, digit or joiner follows; in
 * scripts without spaces, where a reader would end it. Both texts must be folded.
 */
export function containsWord(text: string, word: string): boolean {
  if (word === "") return false;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (standsAsWord(text, at, at + word.length)) return true;
  }
  return false;
}

/** Whether a range of a folded text consists of whole words. */
export function standsAsWord(text: string, start: number, end: number): boolean {
  return isBetweenWords(text, start) && isBetweenWords(text, end);
}

/** Whether a position is at a word border. Beside a sign there always is one: `c++x` contains the word `c++`. */
function isBetweenWords(text: string, at: number): boolean {
  if (at === 0 || at === text.length) return true;
  const unitBefore = text.charCodeAt(at - 1);
  const unitAfter = text.charCodeAt(at);
  if (unitBefore < 128 && unitAfter < 128) return !(ASCII[unitBefore] && ASCII[unitAfter]);
  return segmentsOf(text).isBetween(at);
}

function looksBetween(text: string, at: number, endAt: (at: number) => boolean): boolean {
  const after = characterAt(text, at);
  if (ATTACHED.test(after)) return false;
  const before = characterBefore(text, at);
  if (before === "\u200d") return false;
  const halves = FLAG_HALVES.exec(text.slice(Math.max(0, at - LONGEST_FLAGS), at))?.[0] ?? "";
  // each regional indicator has two UTF-16 units
  if (halves.length % 4 !== 0 && /\p{Regional_Indicator}/u.test(after)) return false;
  if (!WORD_PART.test(before) || !WORD_PART.test(after)) return true;
  if (!NO_SPACES.test(before) && !NO_SPACES.test(after)) return false;
  return endAt(at);
}

/** Fast path for ASCII: whether a character is part of a word. */
const ASCII = Array.from({ length: 128 }, (_, unit) => WORD_PART.test(String.fromCharCode(unit)));

const segmenter = new Intl.Segmenter("und", { granularity: "word" });

/** Word ends of a text. Segments only up to the last requested position, since all of it takes milliseconds. */
class Segments {
  readonly text: string;
  /** State by position: 1 border, 2 no border, 0 unknown. */
  readonly #known: Uint8Array;
  readonly #ends = new Set<number>();
  readonly #rest: Iterator<Intl.SegmentData>;
  #reached = 0;

  constructor(text: string) {
    this.text = text;
    this.#known = new Uint8Array(text.length);
    this.#rest = segmenter.segment(text)[Symbol.iterator]();
  }

  isBetween(at: number): boolean {
    if (this.#known[at] === 0) {
      this.#known[at] = looksBetween(this.text, at, (end) => this.#endAt(end)) ? 1 : 2;
    }
    return this.#known[at] === 1;
  }

  #endAt(at: number): boolean {
    while (this.#reached < at) {
      const next = this.#rest.next();
      if (next.done === true) break;
      this.#reached = next.value.index + next.value.segment.length;
      this.#ends.add(this.#reached);
    }
    return this.#ends.has(at);
  }
}

/** Cache for the last text, in which many words are searched for. */
let latest = new Segments("");

function segmentsOf(text: string): Segments {
  if (latest.text !== text) latest = new Segments(text);
  return latest;
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}

/** The character that ends at `end`; a surrogate pair counts as one. */
function characterBefore(text: string, end: number): string {
  const unit = text.charCodeAt(end - 1);
  const isLow = unit >= 0xdc00 && unit <= 0xdfff && end > 1;
  return characterAt(text, isLow ? end - 2 : end - 1);
}
