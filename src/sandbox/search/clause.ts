import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import { type PostFacts, findUserId } from "./facts.ts";

/** An index list that contains the posts of a clause. */
export interface CandidateList {
  /** An index of posts, or `id` for the one post itself. */
  readonly index: "term" | "author" | "conversation" | "replyTo" | "quoteOf" | "repostOf" | "id";
  readonly value: string;
}

/** One condition of a search. */
export interface SearchClause {
  /** Whether a query may consist of it alone. */
  readonly standalone: boolean;
  readonly matches: (facts: PostFacts) => boolean;
  /** Lists that contain all its posts, maybe more; absent where every post must be checked. */
  readonly candidates?: (world: SandboxWorld) => readonly CandidateList[];
}

/** Makes the clause of an operator. @throws {QueryFault} where the value is none of its. */
export type SearchOperator = (value: string, at: number) => SearchClause;

/** A clause that is allowed only beside a standalone one. */
export function dependentClause(matches: (facts: PostFacts) => boolean): SearchClause {
  return { standalone: false, matches };
}

/** Candidates by a term of the index; nothing without one. */
export function indexedBy(mark: string | undefined): Pick<SearchClause, "candidates"> {
  return mark === undefined ? {} : { candidates: () => [{ index: "term", value: mark }] };
}

/** A clause about a user, named by username or id. */
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
