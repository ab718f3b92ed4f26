const WORD_PART = /[\p{L}\p{M}\p{N}\p{Pc}\p{Join_Control}]/u;
/** What belongs to the character before it, whatever that is. */
const ATTACHED = /[\p{M}\p{Join_Control}\u{e0020}-\u{e007f}]/u;
/** Two of these are a flag. */
const FLAG_HALVES = /\p{Regional_Indicator}+$/u;
/** Units of the text before a place that are searched for flags: 16 flags. */
const LONGEST_FLAGS = 64;
/** Scripts that write words without spaces between them. */
const NO_SPACES =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Khmer}\p{scx=Lao}\p{scx=Myanmar}]/u;

/**
 * Does `word` stand in `text` as whole words? A word ends where no letter, mark, digit or joiner
 * follows; in text without spaces, where a reader would end it. Both texts are folded.
 */
export function containsWord(text: string, word: string): boolean {
  if (word === "") return false;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (standsAsWord(text, at, at + word.length)) return true;
  }
  return false;
}

/** Does what stands between two places of a folded text stand there as whole words? */
export function standsAsWord(text: string, start: number, end: number): boolean {
  return isBetweenWords(text, start) && isBetweenWords(text, end);
}

/** A sign at the edge of a word, as in `c++`, is not touched by the letter beside it. */
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
  // each half has two units
  if (halves.length % 4 !== 0 && /\p{Regional_Indicator}/u.test(after)) return false;
  if (!WORD_PART.test(before) || !WORD_PART.test(after)) return true;
  if (!NO_SPACES.test(before) && !NO_SPACES.test(after)) return false;
  return endAt(at);
}

/** Which ASCII characters are part of a word: most texts have no others. */
const ASCII = Array.from({ length: 128 }, (_, unit) => WORD_PART.test(String.fromCharCode(unit)));

const segmenter = new Intl.Segmenter("und", { granularity: "word" });

/** Where the words of a text end, found as far as it was asked: all of a long text takes milliseconds. */
class Segments {
  readonly text: string;
  /** By place: 1 is between words, 2 is not, 0 was not asked. */
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

/** The text asked about last: many words are sought in one text. */
let latest = new Segments("");

function segmentsOf(text: string): Segments {
  if (latest.text !== text) latest = new Segments(text);
  return latest;
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}

/** The character that ends at `end`, a surrogate pair whole. */
function characterBefore(text: string, end: number): string {
  const unit = text.charCodeAt(end - 1);
  const isLow = unit >= 0xdc00 && unit <= 0xdfff && end > 1;
  return characterAt(text, isLow ? end - 2 : end - 1);
}
