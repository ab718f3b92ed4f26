import type { InPieces } from "../../system/in-pieces.ts";
import type { Atom } from "./atom.ts";
import { PostingLists } from "./posting-lists.ts";
import { sortedWords, WordAutomaton } from "../lists/word-automaton.ts";

/** Text that a rule requires, with the numbers of the field and of the rule. */
export interface TextEntry {
  readonly atom: Extract<Atom, { kind: "text" }>;
  readonly field: number;
  readonly rule: number;
}

/** Finds the rules that require a text which occurs in the searched text. There is one index per form of text. */
export class TextIndex {
  readonly #automaton: WordAutomaton;
  /** Rules that require each word: anywhere in the text, or bounded (see `goesOn`). */
  readonly #anywhere: PostingLists;
  readonly #bounded: PostingLists;
  /** Number of the last search that found each word, so that repeated words count once. */
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

  /**
   * Calls `onRule` with the rules that require a text which occurs in `text`. `fields` are the numbers of the fields
   * with `text`.
   */
  search(text: string, fields: readonly number[], onRule: (rule: number) => void): void {
    const search = ++this.#searches;
    this.#automaton.search(text, (word, start, end) => {
      if (this.#metAnywhere[word] !== search) {
        this.#metAnywhere[word] = search;
        this.#anywhere.give(word, fields, onRule);
      }
      if (this.#metBounded[word] === search) return;
      if (goesOn(text, start) || goesOn(text, end)) return;
      this.#metBounded[word] = search;
      this.#bounded.give(word, fields, onRule);
    });
  }
}

/** Returns whether a place is inside an ASCII word, between two letters or digits. */
function goesOn(text: string, at: number): boolean {
  return (
    at > 0 && at < text.length && isPlain(text.charCodeAt(at - 1)) && isPlain(text.charCodeAt(at))
  );
}

function isPlain(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90);
}
