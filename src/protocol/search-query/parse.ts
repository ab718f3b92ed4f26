import {
  type ClauseToken,
  type OperatorToken,
  SearchSyntaxError,
  type SearchToken,
  tokensOf,
} from "./tokens.ts";

/** Properties of a clause (a word, phrase or operator) that the grammar needs. */
export interface QueryClause {
  /** Whether a query may consist of this clause alone. */
  readonly standalone: boolean;
  /** Token of the clause, if the clause is allowed only after `-`. */
  readonly negatedOnly?: OperatorToken;
}

/** A search query as a tree. */
export type QueryTree<C> =
  | { readonly kind: "all" | "any"; readonly parts: readonly QueryTree<C>[] }
  | { readonly kind: "not"; readonly part: QueryTree<C> }
  | { readonly kind: "clause"; readonly clause: C };

/**
 * Parses a query: adjacent clauses must all match, `OR` binds less tightly, `-` negates the next expression,
 * parentheses group.
 *
 * @param clauseOf Creates a token's clause. Throws {@link SearchSyntaxError} for an unknown operator or invalid value.
 * @throws {SearchSyntaxError} if the query is malformed or has no standalone clause.
 */
export function parseQuery<C extends QueryClause>(
  query: string,
  clauseOf: (token: ClauseToken) => C,
): QueryTree<C> {
  const parser = new SearchParser(tokensOf(query), clauseOf);
  const search = parser.any();
  parser.end();
  const positive = positiveOf(search);
  if (positive !== undefined) {
    const message = `The operator '${positive.name}:${positive.value}' must be negated`;
    throw new SearchSyntaxError(message, positive.at, "positive", positive);
  }
  if (!standsAlone(search)) {
    const message = "Rule must contain at least one positive, non-stopword clause";
    throw new SearchSyntaxError(message, 1, "dependent");
  }
  return search;
}

class SearchParser<C extends QueryClause> {
  readonly #tokens: readonly SearchToken[];
  readonly #clauseOf: (token: ClauseToken) => C;
  #next = 0;

  constructor(tokens: readonly SearchToken[], clauseOf: (token: ClauseToken) => C) {
    this.#tokens = tokens;
    this.#clauseOf = clauseOf;
  }

  any(): QueryTree<C> {
    const parts = [this.#all()];
    while (this.#peek()?.kind === "or") {
      this.#next += 1;
      parts.push(this.#all());
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: "any", parts };
  }

  end(): void {
    const nextToken = this.#peek();
    if (nextToken !== undefined)
      throw new SearchSyntaxError("missing EOF at ')'", nextToken.at, "closed");
  }

  #all(): QueryTree<C> {
    const parts: QueryTree<C>[] = [];
    for (;;) {
      const token = this.#peek();
      if (token === undefined || token.kind === "or" || token.kind === "close") break;
      parts.push(this.#one(token));
    }
    const [first] = parts;
    if (first === undefined) throw this.#missing();
    return parts.length === 1 ? first : { kind: "all", parts: parts.toSorted(cheapFirst) };
  }

  #one(token: SearchToken): QueryTree<C> {
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
          throw new SearchSyntaxError("missing ')' at '<EOF>'", token.at, "opened");
        this.#next += 1;
        return group;
      }
      case "word":
      case "phrase":
      case "operator":
        return { kind: "clause", clause: this.#clauseOf(token) };
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
    return new SearchSyntaxError(
      `no viable alternative at input '${name}'`,
      token?.at ?? last,
      "nothing",
    );
  }
}

/**
 * Compares clauses by cost. Dependent clauses, which read one property of a post, come before standalone ones, which
 * may split its text into words.
 */
function cheapFirst<C extends QueryClause>(a: QueryTree<C>, b: QueryTree<C>): number {
  const cost = (search: QueryTree<C>): number =>
    search.kind === "clause" ? Number(search.clause.standalone) : 1;
  return cost(a) - cost(b);
}

/** Returns the operator of a clause that is allowed only after `-` but is not negated; undefined if there is none. */
function positiveOf(search: QueryTree<QueryClause>, isNegated = false): OperatorToken | undefined {
  switch (search.kind) {
    case "clause":
      return isNegated ? undefined : search.clause.negatedOnly;
    case "not":
      return positiveOf(search.part, !isNegated);
    case "all":
    case "any":
      for (const part of search.parts) {
        const token = positiveOf(part, isNegated);
        if (token !== undefined) return token;
      }
      return undefined;
  }
}

/** Returns whether every match requires a standalone clause that is not negated. */
function standsAlone(search: QueryTree<QueryClause>): boolean {
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
