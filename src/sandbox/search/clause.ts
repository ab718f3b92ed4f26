import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import { type PostFacts, findUserId } from "./facts.ts";

/** An index of posts and a value: the posts with this value are candidates for the results of a search. */
export interface CandidateList {
  /** Index of posts, or `id` for a single post. */
  readonly index: "term" | "author" | "conversation" | "replyTo" | "quoteOf" | "repostOf" | "id";
  readonly value: string;
}

/** A condition of a search. */
export interface SearchClause {
  /** Whether a query may consist of this clause alone. */
  readonly standalone: boolean;
  readonly matches: (facts: PostFacts) => boolean;
  /** Index entries that contain all matching posts, perhaps with others; absent if every post must be checked. */
  readonly candidates?: (world: SandboxWorld) => readonly CandidateList[];
}

/** Creates the clause of an operator. @throws {SearchSyntaxError} for a value that the operator does not accept. */
export type SearchOperator = (value: string, at: number) => SearchClause;

/** Creates a clause that a query may use only together with a standalone clause, such as a word. */
export function dependentClause(matches: (facts: PostFacts) => boolean): SearchClause {
  return { standalone: false, matches };
}

/** Returns a clause's candidates from the index entry `mark`; without `mark`, every post must be checked. */
export function indexedBy(mark: string | undefined): Pick<SearchClause, "candidates"> {
  return mark === undefined ? {} : { candidates: () => [{ index: "term", value: mark }] };
}

/** Creates a clause about a user, named by username or id. */
export function userClause(
  name: string,
  idOf: (facts: PostFacts) => string | undefined,
  candidates: (id: string) => CandidateList,
): SearchClause {
  return {
    standalone: true,
    matches: (facts) => facts.isUser(idOf(facts), name),
    candidates: (world) => {
      const id = findUserId(world, name);
      return id === undefined ? [] : [candidates(id)];
    },
  };
}
