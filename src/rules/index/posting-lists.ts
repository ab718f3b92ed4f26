/** Entry of an inverted index: a rule requires the item (text or pattern) with the number `list` in a field. */
interface Posting {
  readonly list: number;
  readonly field: number;
  readonly rule: number;
}

/**
 * Many short lists of rules in one array: an inverted index, as in search engines.
 *
 * @see Source: J. Zobel and A. Moffat, Inverted Files for Text Search Engines, ACM Computing Surveys 38 (2), 2006.
 */
export class PostingLists {
  /** List `n` has the postings from `#first[n]` to before `#first[n + 1]`. */
  readonly #first: Int32Array;
  readonly #fields: Int32Array;
  readonly #rules: Int32Array;

  /** @param count Number of lists. Postings number them from 0. */
  constructor(count: number, postings: readonly Posting[]) {
    this.#first = new Int32Array(count + 1);
    this.#fields = new Int32Array(postings.length);
    this.#rules = new Int32Array(postings.length);
    for (const { list } of postings) this.#first[list + 1] = (this.#first[list + 1] ?? 0) + 1;
    for (let list = 0; list < count; list++) {
      this.#first[list + 1] = (this.#first[list + 1] ?? 0) + (this.#first[list] ?? 0);
    }
    const next = this.#first.slice();
    for (const { list, field, rule } of postings) {
      const place = next[list] ?? 0;
      next[list] = place + 1;
      this.#fields[place] = field;
      this.#rules[place] = rule;
    }
  }

  /** Calls `onRule` with the rules of `list` that require the item in one of `fields`. */
  give(list: number, fields: readonly number[], onRule: (rule: number) => void): void {
    const end = this.#first[list + 1] ?? 0;
    for (let at = this.#first[list] ?? 0; at < end; at++) {
      if (fields.includes(this.#fields[at] ?? -1)) onRule(this.#rules[at] ?? 0);
    }
  }
}
