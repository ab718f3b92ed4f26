import { tidy } from "./fold.ts";

/** A tidied text that can return the original spelling of any part of itself. */
export interface TidiedText {
  /** Text for pattern searches: tidy and trimmed. */
  readonly text: string;
  /**
   * Returns the original text of a part of `text`, from `start` to before `end` in UTF-16 units. A character that has
   * become several, such as `½`, is returned whole.
   */
  readonly original: (start: number, end: number) => string;
}

/** Matches ASCII texts that tidying leaves unchanged, as a fast path. */
const UNCHANGED = /^[!-~]*(?: [!-~]+)*$/;

/** Tidies a text and records the positions of its characters. */
export function tidied(written: string): TidiedText {
  if (UNCHANGED.test(written)) {
    return { text: written, original: (start, end) => written.slice(start, end) };
  }
  const places = new Places();
  for (const { segment, index } of segmenter.segment(written)) places.add(segment, index);
  const whole = tidy(written);
  const text = whole.trim();
  const before = whole.length - whole.trimStart().length;
  // A combining mark may join two segments into one character; then no original positions are known.
  if (places.text !== whole) return { text, original: (start, end) => text.slice(start, end) };
  return {
    text,
    original: (start, end) => {
      const [from, to] = places.between(before + start, before + end);
      return written.slice(from, to);
    },
  };
}

const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });

/** Maps each UTF-16 unit of a tidied text to its position in the original. `add` must get the characters in order. */
class Places {
  text = "";
  /** For each unit, the start of its original character; `#to` has the end. */
  readonly #from: number[] = [];
  readonly #to: number[] = [];

  add(character: string, index: number): void {
    const whole = tidy(character);
    const end = index + character.length;
    const isBlankAgain = whole.startsWith(" ") && this.text.endsWith(" ");
    // a run of white space becomes one blank, which maps to the whole run
    if (isBlankAgain) this.#to[this.#to.length - 1] = end;
    const more = isBlankAgain ? whole.slice(1) : whole;
    this.text += more;
    const isSame = whole === character;
    for (let unit = 0; unit < more.length; unit++) {
      this.#from.push(isSame ? index + unit : index);
      this.#to.push(isSame ? index + unit + 1 : end);
    }
  }

  between(start: number, end: number): readonly [number, number] {
    const from = this.#from[start] ?? 0;
    return start >= end ? [from, from] : [from, this.#to[end - 1] ?? from];
  }
}
