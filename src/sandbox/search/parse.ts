import { QueryFault, type Token, tokensOf } from "./token.ts";
import type { Clause } from "./clause.ts";
import { clauseOf } from "./operators.ts";

/** A search query as a tree. */
export type Search =
  | { readonly kind: "all" | "any"; readonly parts: readonly Search[] }
  | { readonly kind: "not"; readonly part: Search }
  | { readonly kind: "clause"; readonly clause: Clause };

/**
 * Reads a query: clauses side by side are all needed, `OR` joins less tightly, `-` negates what
 * follows, parentheses group.
 *
 * @throws {QueryFault} where it is not well formed, or holds nothing that can stand alone.
 */
export function parseSearch(query: string): Search {
  const reader = new Reader(tokensOf(query));
  const search = reader.any();
  reader.end();
  if (!standsAlone(search)) {
    throw new QueryFault("Rule must contain at least one positive, non-stopword clause", 1);
  }
  return search;
}

class Reader {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  any(): Search {
    const parts = [this.#all()];
    while (this.#peek()?.kind === "or") {
      this.#next += 1;
      parts.push(this.#all());
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: "any", parts };
  }

  end(): void {
    const left = this.#peek();
    if (left !== undefined) throw new QueryFault("missing EOF at ')'", left.at);
  }

  #all(): Search {
    const parts: Search[] = [];
    for (;;) {
      const token = this.#peek();
      if (token === undefined || token.kind === "or" || token.kind === "close") break;
      parts.push(this.#one(token));
    }
    const [first] = parts;
    if (first === undefined) throw this.#missing();
    return parts.length === 1 ? first : { kind: "all", parts: parts.toSorted(cheapFirst) };
  }

  #one(token: Token): Search {
    this.#next += 1;
    switch (token.kind) {
      case "not": {
        const negated = this.#peek();
        if (negated === undefined || negated.kind === "or" || negated.kind === "close") {
          throw this.#missing();
        }
        return { kind: "not", part: this.#one(negated) };
      }
      case "open": {
        const group = this.any();
        const close = this.#peek();
        if (close?.kind !== "close") throw new QueryFault("missing ')' at '<EOF>'", token.at);
        this.#next += 1;
        return group;
      }
      case "word":
      case "phrase":
      case "operator":
        return { kind: "clause", clause: clauseOf(token) };
      case "or":
      case "close":
        throw this.#missing();
    }
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#next];
  }

  #missing(): QueryFault {
    const token = this.#peek();
    const last = this.#tokens.at(-1)?.at ?? 1;
    const name = token === undefined ? "<EOF>" : token.kind === "or" ? "OR" : ")";
    return new QueryFault(`no viable alternative at input '${name}'`, token?.at ?? last);
  }
}

/** Flags and counts are looked up; words are cut out of the text. */
function cheapFirst(a: Search, b: Search): number {
  const cost = (search: Search): number =>
    search.kind === "clause" ? Number(search.clause.standalone) : 1;
  return cost(a) - cost(b);
}

/** Whether every way to match has a clause that can stand alone and is not negated. */
function standsAlone(search: Search): boolean {
  switch (search.kind) {
    case "clause":
      return search.clause.standalone;
    case "not":
      return false;
    case "all":
      return search.parts.some(standsAlone);
    case "any":
      return search.parts.every(standsAlone);
  }
}
