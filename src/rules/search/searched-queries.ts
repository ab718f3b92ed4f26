import type { CompiledRule, Ruleset } from "../ruleset.ts";

/** Search query that one or several rules have. */
export interface SearchedQuery {
  readonly query: string;
  /** Returns whether a rule that answers for `account` has this query. */
  isFor(account: SearchingAccount): boolean;
}

/** Bot account for which posts are searched. */
export interface SearchingAccount {
  readonly id: string;
  /** Handle without `@`. */
  readonly username: string;
}

const queriesByRuleset = new WeakMap<Ruleset, readonly SearchedQuery[]>();

/** Returns the distinct queries of all enabled rules that are not drafts. Computed once per ruleset. */
export function searchedQueries(ruleset: Ruleset): readonly SearchedQuery[] {
  let queries = queriesByRuleset.get(ruleset);
  if (queries === undefined) {
    queries = queriesOf(ruleset.candidates(["post.found"]));
    queriesByRuleset.set(ruleset, queries);
  }
  return queries;
}

function queriesOf(rules: readonly CompiledRule[]): readonly SearchedQuery[] {
  const byQuery = new Map<string, CompiledRule[]>();
  for (const rule of rules) {
    if (!rule.enabled || rule.stage === "draft") continue;
    for (const { query } of rule.triggers) {
      if (query !== undefined) byQuery.set(query, [...(byQuery.get(query) ?? []), rule]);
    }
  }
  return [...byQuery].map(([query, its]) => ({
    query,
    isFor: ({ id, username }) =>
      its.some(
        ({ account }) =>
          account === undefined || account === id || account === username.toLowerCase(),
      ),
  }));
}
