import { isAddressed, postDelivery } from "../../events/read/post.ts";
import type { Ruleset } from "../../rules/ruleset.ts";
import { searchedQueries, type SearchingAccount } from "../../rules/schedule.ts";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import { pacedLoop } from "../loop/paced-loop.ts";
import type { Append } from "../source.ts";
import { AccountSearch, type AccountSearchNeeds, type QueryStatus } from "./account-search.ts";
import { type PositionMemory, positionName, SearchPositions } from "./positions.ts";
import { timeOf } from "./read-query.ts";
import {
  type StreamedFind,
  SearchStream,
  type SearchStreamNeeds,
  type StreamStatus,
} from "./search-stream.ts";

/** State of the queries, and of the stream that brings their posts. */
export interface SearchStatus {
  readonly stream: StreamStatus;
  readonly queries: readonly (QueryStatus & {
    /** Reason why recent search reads the query; absent if the stream brings its posts. */
    readonly whyRecent?: string;
  })[];
}

/** Searches posts for the queries of YAML rules, and appends the found posts to the journal. */
export interface Searches {
  /** Searches now, because rules or accounts have changed. */
  wake(): void;
  /** State of the stream, and of each query of each account. */
  status(): SearchStatus;
  /** Stops searching, and resolves when the current round has ended. */
  stop(): Promise<void>;
}

/** Bot account for which rules search posts. */
export interface SearchedAccount extends SearchingAccount {
  /** Reason why the account's tokens no longer work; absent while they work. */
  readonly revoked?: string;
}

export interface SearchesNeeds
  extends Pick<AccountSearchNeeds, "clientOf" | "random">, Pick<SearchStreamNeeds, "way" | "app"> {
  /** Returns the active rules. */
  readonly ruleset: () => Ruleset;
  /** Returns the linked accounts. */
  readonly accounts: () => readonly SearchedAccount[];
  readonly append: Append;
  /** Stores the position of each query. */
  readonly memory: PositionMemory;
  readonly clock: Clock;
  readonly log: Log;
}

/** Pause in milliseconds while no rule has a query: the longest possible timer, which {@link Searches.wake} ends. */
const NOTHING_TO_DO_MS = 2 ** 31 - 1;
const RETRY_MS = 5_000;

/**
 * Starts to search. The first search for a query begins at the time of its first use. Later searches begin after the
 * last post in the journal, so that posts written during a downtime are found up to seven days later.
 */
export function startSearches(needs: SearchesNeeds): Searches {
  const { clock } = needs;
  const searching = new Searching(needs);
  const unfollow = clock.onJump(() => searching.hurry());
  searching.hurry();
  return {
    wake: () => searching.hurry(),
    status: () => searching.status(),
    async stop() {
      unfollow();
      await searching.stop();
    },
  };
}

class Searching {
  readonly #needs: SearchesNeeds;
  readonly #positions: SearchPositions;
  readonly #searches = new Map<string, AccountSearch>();
  readonly #stream: SearchStream;
  readonly #loop = pacedLoop(() => this.#turn());

  constructor(needs: SearchesNeeds) {
    this.#needs = needs;
    this.#positions = new SearchPositions(needs.memory);
    this.#stream = new SearchStream({
      ...needs,
      onPost: (find) => this.#take(find),
      onChange: () => this.#loop.wake(),
    });
  }

  hurry(): void {
    for (const search of this.#searches.values()) search.hurry();
    this.#loop.wake();
  }

  status(): SearchStatus {
    const queries = this.#needs.accounts().flatMap((account) => {
      const all = this.#searches.get(account.id)?.status(this.#queriesOf(account)) ?? [];
      return all.map((one) => {
        const whyRecent = this.#stream.whyNot(one.query);
        return { ...one, ...(whyRecent !== undefined && { whyRecent }) };
      });
    });
    return { stream: this.#stream.status(), queries };
  }

  async stop(): Promise<void> {
    await this.#stream.stop();
    await this.#loop.stop();
  }

  async #turn(): Promise<number> {
    const { accounts, clock, log } = this.#needs;
    try {
      const names = accounts().flatMap((account) =>
        this.#queriesOf(account).map((query) => positionName(account.id, query)),
      );
      await this.#positions.open(new Set(names), clock.now());
      let waitMs = NOTHING_TO_DO_MS;
      const served = this.#served();
      this.#stream.want(served.flatMap(({ queries }) => queries));
      for (const { account, queries } of served) {
        const search = this.#searchOf(account);
        await search.turn(queries);
        waitMs = Math.min(waitMs, search.waitMs(queries));
      }
      return waitMs;
    } catch (error) {
      log.error({ err: error }, "found posts were not kept; trying again");
      return RETRY_MS;
    }
  }

  /** Appends a streamed post for each account that searches with one of the queries. */
  async #take({ post, includes, queries }: StreamedFind): Promise<void> {
    for (const { account, queries: its } of this.#served()) {
      const by = queries.filter((query) => its.includes(query));
      if (by.length === 0) continue;
      const search = this.#searchOf(account);
      const delivery = postDelivery(account.id, post, includes);
      const head = { id: post.id, at: timeOf(post), author: post.author_id };
      // Only a search with the account's tokens shows whether the account has blocked the author.
      if (delivery === undefined || isAddressed(account.id, post)) search.leave(by);
      else await search.take({ ...head, delivery }, by);
    }
    this.#loop.wake();
  }

  /** Returns the accounts that rules search for and whose tokens work. Drops the searches of all other accounts. */
  #served(): readonly { readonly account: SearchedAccount; readonly queries: readonly string[] }[] {
    return this.#needs.accounts().flatMap((account) => {
      const queries = this.#queriesOf(account);
      if (account.revoked === undefined && queries.length > 0) return [{ account, queries }];
      this.#searches.delete(account.id);
      return [];
    });
  }

  #queriesOf(account: SearchingAccount): readonly string[] {
    return searchedQueries(this.#needs.ruleset()).flatMap((one) =>
      one.isFor(account) ? one.query : [],
    );
  }

  #searchOf({ id: account }: SearchingAccount): AccountSearch {
    const existing = this.#searches.get(account);
    if (existing !== undefined) return existing;
    const search = new AccountSearch({
      ...this.#needs,
      account,
      positions: this.#positions,
      isOwn: (id) => this.#needs.accounts().some((one) => one.id === id),
      streamedSince: (query) => this.#stream.streamedSince(query),
    });
    this.#searches.set(account, search);
    return search;
  }
}
