import type { InPieces } from "../../system/in-pieces.ts";
import type { Atom } from "./atom.ts";
import { PostingLists } from "./posting-lists.ts";
import { sortedWords, WordAutomaton } from "../lists/word-automaton.ts";

/** A text atom with the numbers of its field and its rule. */
export interface TextEntry {
  readonly atom: Extract<Atom, { kind: "text" }>;
  readonly field: number;
  readonly rule: number;
}

/** Finds the rules of which a text has an atom; one for each form of text. */
export class TextIndex {
  readonly #automaton: WordAutomaton;
  /** Who asks for each word: wherever it stands, and where no letter or digit goes on from it. */
  readonly #anywhere: PostingLists;
  readonly #bounded: PostingLists;
  /** By word: the search in which it was met last, so that one that comes often counts once. */
  readonly #metAnywhere: Int32Array;
  readonly #metBounded: Int32Array;
  #searches = 0;

  static *building(entries: readonly TextEntry[]): InPieces<TextIndex> {
    const words = sortedWords(entries.map(({ atom }) => atom.text));
    yield;
    const automaton = yield* WordAutomaton.building(words);
    return new TextIndex(words, automaton, entries);
  }

  private constructor(
    words: readonly string[],
    automaton: WordAutomaton,
    entries: readonly TextEntry[],
  ) {
    const numbers = new Map(words.map((word, number) => [word, number]));
    const count = words.length;
    this.#automaton = automaton;
    const postings = (bounded: boolean) =>
      new PostingLists(
        count,
        entries
          .filter(({ atom }) => atom.bounded === bounded)
          .map(({ atom, field, rule }) => ({ list: numbers.get(atom.text) ?? 0, field, rule })),
      );
    this.#anywhere = postings(false);
    this.#bounded = postings(true);
    this.#metAnywhere = new Int32Array(count);
    this.#metBounded = new Int32Array(count);
  }

  /** Calls `found` with the rules that ask for something in `text`, which is that of `fields`. */
  search(text: string, fields: readonly number[], found: (rule: number) => void): void {
    const search = ++this.#searches;
    this.#automaton.search(text, (word, start, end) => {
      if (this.#metAnywhere[word] !== search) {
        this.#metAnywhere[word] = search;
        this.#anywhere.give(word, fields, found);
      }
      if (this.#metBounded[word] === search) return;
      if (goesOn(text, start) || goesOn(text, end)) return;
      this.#metBounded[word] = search;
      this.#bounded.give(word, fields, found);
    });
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
