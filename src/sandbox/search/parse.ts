import { parseQuery, type QueryTree } from "../../protocol/search-query/parse.ts";
import type { SearchClause } from "./clause.ts";
import { clauseOf } from "./operators.ts";

/** A search query as a tree. */
export type SearchExpression = QueryTree<SearchClause>;

/** Parses a query. @throws {SearchSyntaxError} if it is malformed or has no standalone clause. */
export function parseSearch(query: string): SearchExpression {
  return parseQuery(query, clauseOf);
}
