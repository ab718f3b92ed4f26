import type { Atom } from "./atom.ts";
import { WordAutomaton } from "./word-automaton.ts";

/** A text atom with the numbers of its field and its rule. */
export interface TextEntry {
  readonly atom: Extract<Atom, { kind: "text" }>;
  readonly field: number;
  readonly rule: number;
}

/** Finds the rules of which a text has an atom; one for each form of text. */
export class TextIndex {
  readonly #automaton: WordAutomaton;
  /** By word: pairs of field and rule; of bounded atoms, and of the others. */
  readonly #anywhere: (readonly number[] | undefined)[];
  readonly #bounded: (readonly number[] | undefined)[];
  /** By word: the search in which it was met last, so that one that comes often counts once. */
  readonly #metAnywhere: Int32Array;
  readonly #metBounded: Int32Array;
  #searches = 0;

  constructor(entries: readonly TextEntry[]) {
    this.#automaton = new WordAutomaton(entries.map(({ atom }) => atom.text));
    const numbers = new Map(this.#automaton.words.map((word, number) => [word, number]));
    const count = this.#automaton.words.length;
    const anywhere = Array.from<number[] | undefined>({ length: count });
    const bounded = Array.from<number[] | undefined>({ length: count });
    for (const { atom, field, rule } of entries) {
      const lists = atom.bounded ? bounded : anywhere;
      const word = numbers.get(atom.text) ?? 0;
      (lists[word] ??= []).push(field, rule);
    }
    this.#anywhere = anywhere;
    this.#bounded = bounded;
    this.#metAnywhere = new Int32Array(count);
    this.#metBounded = new Int32Array(count);
  }

  /** Calls `found` with the rules that ask for something in `text`, which is that of `fields`. */
  search(text: string, fields: readonly number[], found: (rule: number) => void): void {
    const search = ++this.#searches;
    this.#automaton.search(text, (word, end) => {
      const anywhere = this.#anywhere[word];
      if (anywhere !== undefined && this.#metAnywhere[word] !== search) {
        this.#metAnywhere[word] = search;
        giveRules(anywhere, fields, found);
      }
      const bounded = this.#bounded[word];
      if (bounded === undefined || this.#metBounded[word] === search) return;
      const length = this.#automaton.words[word]?.length ?? 0;
      if (goesOn(text, end - length) || goesOn(text, end)) return;
      this.#metBounded[word] = search;
      giveRules(bounded, fields, found);
    });
  }
}

function giveRules(
  pairs: readonly number[],
  fields: readonly number[],
  found: (rule: number) => void,
): void {
  for (let at = 0; at < pairs.length; at += 2) {
    if (fields.includes(pairs[at] ?? -1)) found(pairs[at + 1] ?? 0);
  }
}

/** Whether ASCII letters or digits stand on both sides of a place: no word ends or begins there. */
function goesOn(text: string, at: number): boolean {
  return (
    at > 0 && at < text.length && isPlain(text.charCodeAt(at - 1)) && isPlain(text.charCodeAt(at))
  );
}

function isPlain(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90);
}
