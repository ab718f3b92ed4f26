import type { World } from "../kernel/world.ts";
import { type Facts, userId } from "./facts.ts";

/** Where the posts of a clause are found without looking at all of them. */
export interface Candidates {
  /** An index of posts, or `id` for the one post itself. */
  readonly index: "term" | "author" | "conversation" | "replyTo" | "quoteOf" | "repostOf" | "id";
  readonly value: string;
}

/** One condition of a search. */
export interface Clause {
  /** Whether a query may consist of it alone. */
  readonly standalone: boolean;
  readonly matches: (facts: Facts) => boolean;
  /** Lists that hold all its posts, maybe more; absent where only a look at every post tells. */
  readonly candidates?: (world: World) => readonly Candidates[];
}

/** Makes the clause of an operator. @throws {QueryFault} where the value is none of its. */
export type Operator = (value: string, at: number) => Clause;

/** A clause that needs another one that can stand alone. */
export function together(matches: (facts: Facts) => boolean): Clause {
  return { standalone: false, matches };
}

/** Where posts with a mark of the index stand; nothing without one. */
export function markedAs(mark: string | undefined): Pick<Clause, "candidates"> {
  return mark === undefined ? {} : { candidates: () => [{ index: "term", value: mark }] };
}

/** A clause on a user whom a query names by username or id. */
export function userClause(
  name: string,
  idOf: (facts: Facts) => string | undefined,
  candidates: (id: string) => Candidates,
): Clause {
  return {
    standalone: true,
    matches: (facts) => facts.isUser(idOf(facts), name),
    candidates: (world) => {
      const id = userId(world, name);
      return id === undefined ? [] : [candidates(id)];
    },
  };
}
