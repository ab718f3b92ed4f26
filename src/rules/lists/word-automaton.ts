import type { InPieces } from "../../system/in-pieces.ts";
/**
 * Finds all of many words in a text in one pass, regardless of their number: an Aho-Corasick automaton.
 *
 * States are numbered breadth first, so the number of an edge gives its target state. All data is in a few arrays, with
 * some 20 bytes per letter that words don't share.
 *
 * @see Source: A. V. Aho and M. J. Corasick, Efficient String Matching: An Aid to Bibliographic Search, Communications
 * of the ACM 18 (6), 1975.
 */
export class WordAutomaton {
  /** Length of each word. */
  readonly #lengths: Int32Array;
  /** State `s` has the edges from `#first[s]` to before `#first[s + 1]`; edge `e` leads to state `e + 1`. */
  #first: Int32Array;
  #letter: Uint16Array;
  /** Next state if no edge fits: the longest suffix of the read text that begins a word. */
  #fallback: Int32Array;
  /** Number of the word that ends in each state; -1 for none. */
  #word: Int32Array;
  /** Next state along the fallbacks in which a word ends; 0 for none. */
  #shorter: Int32Array;
  /** Targets of ASCII letters from the start state: a fast path for most of a text. */
  readonly #fromStart = new Int32Array(128);

  /** @param words Result of {@link sortedWords}. The number of a word is its index in this list. */
  static *building(words: readonly string[]): InPieces<WordAutomaton> {
    const automaton = new WordAutomaton(words);
    yield* automaton.#build(words);
    return automaton;
  }

  private constructor(words: readonly string[]) {
    this.#lengths = Int32Array.from(words, ({ length }) => length);
    const most = this.#lengths.reduce((sum, length) => sum + length, 1);
    this.#first = new Int32Array(most + 1);
    this.#letter = new Uint16Array(most);
    this.#fallback = new Int32Array(most);
    this.#word = new Int32Array(most).fill(-1);
    this.#shorter = new Int32Array(most);
  }

  /** Calls `onWord` with the number of every word in `text`, and with its start and end. */
  search(text: string, onWord: (word: number, start: number, end: number) => void): void {
    const words = this.#word;
    const lengths = this.#lengths;
    const shorter = this.#shorter;
    const fromStart = this.#fromStart;
    let state = 0;
    for (let at = 0; at < text.length; at++) {
      const letter = text.charCodeAt(at);
      // most letters begin no word
      state = state === 0 && letter < 128 ? (fromStart[letter] ?? 0) : this.#step(state, letter);
      if (state === 0) continue;
      let ending = (words[state] ?? -1) >= 0 ? state : (shorter[state] ?? 0);
      while (ending !== 0) {
        const word = words[ending] ?? 0;
        onWord(word, at + 1 - (lengths[word] ?? 0), at + 1);
        ending = shorter[ending] ?? 0;
      }
    }
  }

  #step(from: number, letter: number): number {
    let state = from;
    for (;;) {
      const next = this.#edge(state, letter);
      if (next !== 0 || state === 0) return next;
      state = this.#fallback[state] ?? 0;
    }
  }

  /** Returns the state to which `letter` leads; 0 if no edge has the letter. */
  #edge(state: number, letter: number): number {
    if (state === 0 && letter < 128) return this.#fromStart[letter] ?? 0;
    const first = this.#first[state] ?? 0;
    let high = (this.#first[state + 1] ?? 0) - 1;
    if (high <= first) return high === first && this.#letter[first] === letter ? first + 1 : 0;
    let low = first;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const here = this.#letter[middle] ?? 0;
      if (here === letter) return middle + 1;
      if (here < letter) low = middle + 1;
      else high = middle - 1;
    }
    return 0;
  }

  /** Builds all states. */
  *#build(words: readonly string[]): InPieces<void> {
    // range of the words that begin with the text of each state
    const from = [0];
    const to = [words.length];
    const depth = [0];
    let states = 1;
    for (let state = 0; state < states; state++) {
      if (state % PIECE === 0) yield;
      this.#first[state] = states - 1;
      const fallback = this.#fallback[state] ?? 0;
      this.#shorter[state] =
        (this.#word[fallback] ?? -1) >= 0 ? fallback : (this.#shorter[fallback] ?? 0);
      const length = depth[state] ?? 0;
      const end = to[state] ?? 0;
      let word = from[state] ?? 0;
      if (word < end && words[word]?.length === length) {
        this.#word[state] = word;
        word++;
      }
      while (word < end) {
        const letter = words[word]?.charCodeAt(length) ?? 0;
        from[states] = word;
        while (word < end && words[word]?.charCodeAt(length) === letter) word++;
        to[states] = word;
        depth[states] = length + 1;
        this.#addEdge(state, letter, states);
        states++;
      }
      this.#first[state + 1] = states - 1;
    }
    // words that share beginnings need fewer states than were allocated
    this.#first = this.#first.slice(0, states + 1);
    this.#letter = this.#letter.slice(0, states);
    this.#fallback = this.#fallback.slice(0, states);
    this.#word = this.#word.slice(0, states);
    this.#shorter = this.#shorter.slice(0, states);
  }

  #addEdge(state: number, letter: number, target: number): void {
    this.#letter[target - 1] = letter;
    if (state === 0 && letter < 128) this.#fromStart[letter] = target;
    this.#fallback[target] = state === 0 ? 0 : this.#step(this.#fallback[state] ?? 0, letter);
  }
}

/** Number of states after which the building yields to other tasks. */
const PIECE = 4_096;

/** Prepares words for an automaton: unique, not empty, in the order of their UTF-16 units. */
export function sortedWords(words: Iterable<string>): readonly string[] {
  return [...new Set(words)].filter((word) => word !== "").sort();
}
