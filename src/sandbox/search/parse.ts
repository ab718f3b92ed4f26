import { SearchSyntaxError, type SearchToken, tokensOf } from "./tokens.ts";
import type { SearchClause } from "./clause.ts";
import { clauseOf } from "./operators.ts";

/** A search query as a tree. */
export type SearchExpression =
  | { readonly kind: "all" | "any"; readonly parts: readonly SearchExpression[] }
  | { readonly kind: "not"; readonly part: SearchExpression }
  | { readonly kind: "clause"; readonly clause: SearchClause };

/**
 * Parses a query: adjacent clauses must all match, `OR` binds less tightly, `-` negates the next expression,
 * parentheses group.
 *
 * @throws {SearchSyntaxError} if the query is malformed or has no standalone clause.
 */
export function parseSearch(query: string): SearchExpression {
  const parser = new SearchParser(tokensOf(query));
  const search = parser.any();
  parser.end();
  if (!standsAlone(search)) {
    throw new SearchSyntaxError("Rule must contain at least one positive, non-stopword clause", 1);
  }
  return search;
}

class SearchParser {
  readonly #tokens: readonly SearchToken[];
  #next = 0;

  constructor(tokens: readonly SearchToken[]) {
    this.#tokens = tokens;
  }

  any(): SearchExpression {
    const parts = [this.#all()];
    while (this.#peek()?.kind === "or") {
      this.#next += 1;
      parts.push(this.#all());
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: "any", parts };
  }

  end(): void {
    const nextToken = this.#peek();
    if (nextToken !== undefined) throw new SearchSyntaxError("missing EOF at ')'", nextToken.at);
  }

  #all(): SearchExpression {
    const parts: SearchExpression[] = [];
    for (;;) {
      const token = this.#peek();
      if (token === undefined || token.kind === "or" || token.kind === "close") break;
      parts.push(this.#one(token));
    }
    const [first] = parts;
    if (first === undefined) throw this.#missing();
    return parts.length === 1 ? first : { kind: "all", parts: parts.toSorted(cheapFirst) };
  }

  #one(token: SearchToken): SearchExpression {
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
        if (close?.kind !== "close")
          throw new SearchSyntaxError("missing ')' at '<EOF>'", token.at);
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

  #peek(): SearchToken | undefined {
    return this.#tokens[this.#next];
  }

  #missing(): SearchSyntaxError {
    const token = this.#peek();
    const last = this.#tokens.at(-1)?.at ?? 1;
    const name = token === undefined ? "<EOF>" : token.kind === "or" ? "OR" : ")";
    return new SearchSyntaxError(`no viable alternative at input '${name}'`, token?.at ?? last);
  }
}

/** Sorts dependent clauses, which look up a fact, before standalone ones, which may split the text into words. */
function cheapFirst(a: SearchExpression, b: SearchExpression): number {
  const cost = (search: SearchExpression): number =>
    search.kind === "clause" ? Number(search.clause.standalone) : 1;
  return cost(a) - cost(b);
}

/** Returns whether every way to match has a standalone clause that is not negated. */
function standsAlone(search: SearchExpression): boolean {
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
