import { tidy } from "./fold.ts";

/** A tidy text, and which part of the text that a person wrote each part of it stands for. */
export interface TidiedText {
  /** Text that patterns search: tidy, without white space around it. */
  readonly text: string;
  /**
   * Returns the part of the original text for a part of `text`, from `start` to before `end` in UTF-16 units. Of a
   * character that has become several, such as `½`, all of it.
   */
  readonly original: (start: number, end: number) => string;
}

/** No character of such a text changes. */
const UNCHANGED = /^[!-~]*(?: [!-~]+)*$/;

/** Makes a text tidy, and remembers where its characters stood. */
export function tidied(written: string): TidiedText {
  if (UNCHANGED.test(written)) {
    return { text: written, original: (start, end) => written.slice(start, end) };
  }
  const places = new Places();
  for (const { segment, index } of segmenter.segment(written)) places.add(segment, index);
  const whole = tidy(written);
  const text = whole.trim();
  const before = whole.length - whole.trimStart().length;
  // a mark may join a character across a border: then its place is not known
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

/** Where each unit of a tidy text stood before: in the characters that were added, one after the other. */
class Places {
  text = "";
  /** By unit: where what it stands for begins and ends. */
  readonly #from: number[] = [];
  readonly #to: number[] = [];

  add(character: string, index: number): void {
    const whole = tidy(character);
    const end = index + character.length;
    const isBlankAgain = whole.startsWith(" ") && this.text.endsWith(" ");
    // a run of white space is one blank, and that stands for all of it
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
