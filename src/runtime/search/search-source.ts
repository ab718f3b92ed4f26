import type { Ruleset } from "../../rules/ruleset.ts";
import { searchedQueries, type SearchingAccount } from "../../rules/schedule.ts";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import { pacedLoop } from "../loop/paced-loop.ts";
import type { Append } from "../source.ts";
import { AccountSearch, type AccountSearchNeeds, type QueryStatus } from "./account-search.ts";
import { type PositionMemory, positionName, SearchPositions } from "./positions.ts";

/** Searches for the queries of rules, and appends the posts that it finds to the journal. */
export interface Searches {
  /** Looks now: rules or accounts have changed. */
  wake(): void;
  /** State of each query of each account. */
  status(): readonly QueryStatus[];
  /** Stops searching, and resolves when the current round has ended. */
  stop(): Promise<void>;
}

/** Bot account that searches. */
export interface SearchedAccount extends SearchingAccount {
  /** Reason why its tokens no longer work; absent while they work. */
  readonly revoked?: string;
}

export interface SearchesNeeds extends Pick<AccountSearchNeeds, "clientOf" | "random"> {
  /** Returns the active rules. */
  readonly ruleset: () => Ruleset;
  /** Returns the linked accounts. */
  readonly accounts: () => readonly SearchedAccount[];
  readonly append: Append;
  /** Memory of each query's position. */
  readonly memory: PositionMemory;
  readonly clock: Clock;
  readonly log: Log;
}

/** Pause while there is no query: until the next wake. */
const NOTHING_TO_DO_MS = 2 ** 31 - 1;
const RETRY_MS = 5_000;

/**
 * Starts to search. A query's first reading begins at the time of its first use, later ones after the last post that is in the
 * journal, so that posts written during a downtime are found up to seven days later.
 */
export function startSearches(needs: SearchesNeeds): Searches {
  const { ruleset, accounts, clock, log, memory } = needs;
  const positions = new SearchPositions(memory);
  const searches = new Map<string, AccountSearch>();
  const isOwn = (id: string): boolean => accounts().some((one) => one.id === id);
  const queriesOf = (account: SearchingAccount): readonly string[] =>
    searchedQueries(ruleset()).flatMap((one) => (one.isFor(account) ? one.query : []));
  const searchOf = ({ id: account }: SearchingAccount): AccountSearch => {
    const search =
      searches.get(account) ?? new AccountSearch({ ...needs, account, positions, isOwn });
    searches.set(account, search);
    return search;
  };

  const turn = async (): Promise<number> => {
    try {
      const names = accounts().flatMap((account) =>
        queriesOf(account).map((query) => positionName(account.id, query)),
      );
      await positions.open(new Set(names), clock.now());
      let waitMs = NOTHING_TO_DO_MS;
      for (const account of accounts()) {
        const queries = queriesOf(account);
        if (account.revoked !== undefined || queries.length === 0) continue;
        const search = searchOf(account);
        if (search.waitMs() === 0) await search.turn(queries);
        waitMs = Math.min(waitMs, search.waitMs());
      }
      return waitMs;
    } catch (error) {
      log.error({ err: error }, "found posts were not kept; trying again");
      return RETRY_MS;
    }
  };

  const loop = pacedLoop(turn);
  const hurry = (): void => {
    for (const search of searches.values()) search.hurry();
    loop.wake();
  };
  const unfollow = clock.onJump(hurry);
  loop.wake();
  return {
    wake: hurry,
    status: () =>
      accounts().flatMap((account) => searches.get(account.id)?.status(queriesOf(account)) ?? []),
    async stop() {
      unfollow();
      await loop.stop();
    },
  };
}
