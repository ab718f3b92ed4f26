import { RE2JS, RE2Set } from "re2js";
import { isPlainText } from "../expression/patterns/pattern.ts";
import { plainLetters } from "../expression/patterns/plain-letters.ts";
import { withoutBoundaries, withUnicodeClasses } from "../expression/patterns/unicode-pattern.ts";
import type { InPieces } from "../../system/in-pieces.ts";
import type { Atom } from "./atom.ts";
import { PostingLists } from "./posting-lists.ts";

/** Pattern that a rule requires, with the numbers of the field and of the rule. */
export interface PatternEntry {
  readonly atom: Extract<Atom, { kind: "pattern" }>;
  readonly field: number;
  readonly rule: number;
}

/**
 * Maximum number of patterns per set: an automaton of thousands of patterns would have a state for nearly every text.
 */
const PATTERNS_A_SET = 50;
/** Maximum memory for the states of a set's automaton, in bytes. At the limit, the automaton discards its states. */
const MEMORY_A_SET = 1_048_576;
/**
 * Maximum length of a searched text, in characters. If each character needs a new state, a longer text could take more
 * than 50 ms.
 */
export const LONGEST_SEARCHED = 300;

/**
 * Automata for ASCII text (`plain`) and for other text (`wide`). `wide` ignores `\b`, so it also finds patterns that do
 * not match.
 */
interface PatternSet {
  readonly plain: RE2Set;
  readonly wide: RE2Set;
}

/**
 * Finds which of many patterns match a text, in one pass per set. The sets hold patterns without a certain literal, for
 * which a word search is impossible. In text outside ASCII, the search may find patterns that do not match.
 *
 * @see Source: R. Cox, Regular Expression Matching in the Wild, 2010 (RE2::Set),
 * https://swtch.com/~rsc/regexp/regexp3.html
 */
export class PatternSets {
  readonly #sets: readonly PatternSet[];
  readonly #count: number;
  readonly #askers: PostingLists;

  /** Builds the sets. Either all patterns are cased, or none. */
  static *building(entries: readonly PatternEntry[]): InPieces<PatternSets> {
    const numbers = new Map<string, number>();
    for (const { atom } of entries) {
      if (!numbers.has(atom.source)) numbers.set(atom.source, numbers.size);
    }
    const cased = entries[0]?.atom.cased === true;
    const all = [...numbers.keys()];
    const sets: PatternSet[] = [];
    for (let first = 0; first < all.length; first += PATTERNS_A_SET) {
      const sources = all.slice(first, first + PATTERNS_A_SET);
      const plain = setOf(sources, cased);
      yield;
      const wider = sources.map((source) => withUnicodeClasses(withoutBoundaries(source)));
      const wide = wider.some((one, at) => one !== sources[at]) ? setOf(wider, cased) : plain;
      sets.push({ plain, wide });
      yield;
    }
    const postings = entries.map(({ atom, field, rule }) => ({
      list: numbers.get(atom.source) ?? 0,
      field,
      rule,
    }));
    return new PatternSets(sets, new PostingLists(all.length, postings), all.length);
  }

  private constructor(sets: readonly PatternSet[], askers: PostingLists, count: number) {
    this.#sets = sets;
    this.#askers = askers;
    this.#count = count;
  }

  /** Returns pieces of work that call `onRule` with the rules of matching patterns, or of all patterns if `text` is too long. */
  search(
    text: string,
    fields: readonly number[],
    onRule: (rule: number) => void,
  ): readonly (() => void)[] {
    const tell = (number: number) => this.#askers.give(number, fields, onRule);
    if (text.length > LONGEST_SEARCHED) {
      const all = () => {
        for (let number = 0; number < this.#count; number++) tell(number);
      };
      return [all];
    }
    const form = isPlainText(text) ? "plain" : "wide";
    return this.#sets.map((set, index) => () => {
      for (const number of set[form].match(text)) tell(index * PATTERNS_A_SET + number);
    });
  }
}

function setOf(sources: readonly string[], cased: boolean): RE2Set {
  const flags = cased ? 0 : RE2JS.CASE_INSENSITIVE;
  const set = new RE2Set(RE2Set.UNANCHORED, flags, MEMORY_A_SET);
  for (const source of sources) set.add(cased ? source : plainLetters(source));
  set.compile();
  return set;
}
