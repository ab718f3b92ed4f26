import { outageBody } from "../../events/kinds/link.ts";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import { pacedLoop } from "../loop/paced-loop.ts";
import type { Append } from "../source.ts";
import type { Store } from "../store/store.ts";
import { outageMemory } from "./outage-memory.ts";

/** Change of an account's reachability: its events start or stop arriving. */
export interface LinkChange {
  /** User id. */
  readonly account: string;
  readonly reachable: boolean;
  /** If not reachable: the last time at which its events surely arrived, in milliseconds since the epoch. */
  readonly since: number;
  /** Reason why its events do not arrive. */
  readonly reason?: string;
}

export interface OutagesNeeds {
  /** Calls its listener with the current state first, then with each change. Returns the function that unsubscribes. */
  readonly onReachable: (listener: (change: LinkChange) => void) => () => void;
  /** Calls its listener with the reason if the link could not be established since the start. */
  readonly onFailed: (listener: (reason: string) => void) => () => void;
  /** Whether an account is linked to the bot, and its authorization is valid. */
  readonly isServed: (account: string) => boolean;
  readonly append: Append;
  readonly memory: Pick<Store, "getMeta" | "setMeta">;
  readonly clock: Clock;
  readonly log: Log;
  /** Real milliseconds for which establishing the link may fail before that is an outage; by default a minute. */
  readonly failsForMs?: number;
}

/** Appends the beginning and the end of each account's outages to the journal, once each. */
export interface Outages {
  /** Stops following the link, and resolves when the current turn has ended. */
  stop(): Promise<void>;
}

const RETRY_MS = 5_000;
const NOTHING_TO_DO_MS = 2 ** 31 - 1;
const FAILS_FOR_MS = 60_000;

/**
 * Follows the link. An outage survives restarts: it begins once and ends once, whichever process reports it. Accounts whose
 * events have never arrived have no outages.
 */
export function followOutages(needs: OutagesNeeds): Outages {
  const { clock, log, failsForMs = FAILS_FOR_MS } = needs;
  const outages = outageMemory(needs.memory);
  const startedAt = clock.now();
  const changes: LinkChange[] = [];
  /** Accounts whose events arrived in this process, and still arrive. */
  const up = new Set<string>();
  /** Reason why the link could not be established, and the time from which that is an outage. */
  let failing: { readonly reason: string; readonly until: number } | undefined;

  const turn = async (): Promise<number> => {
    try {
      await retell();
      for (let alike = firstAlike(changes); alike.length > 0; alike = firstAlike(changes)) {
        await apply(alike);
        changes.splice(0, alike.length);
      }
      if (failing === undefined) return NOTHING_TO_DO_MS;
      const leftMs = failing.until - performance.now();
      if (leftMs > 0) return leftMs;
      const { reason } = failing;
      const down = (await outages.listKnownAccounts()).filter((account) => !up.has(account));
      await begin(down.map((account) => ({ account, reason, since: startedAt })));
      failing = undefined;
      return NOTHING_TO_DO_MS;
    } catch (error) {
      log.warn({ err: error }, "an outage of the link was not kept; trying again");
      return RETRY_MS;
    }
  };

  /**
   * Whether open outages have been appended again: an earlier process may have ended between storing and appending one. A
   * duplicate is ignored by its key.
   */
  let isRetold = false;
  const retell = async (): Promise<void> => {
    if (isRetold) return;
    for (const [account, open] of await outages.open()) await tell(account, open, "lost");
    isRetold = true;
  };

  /** @param alike Changes of different accounts, all to reachable or all to unreachable. */
  const apply = async (alike: readonly LinkChange[]): Promise<void> => {
    const accounts = alike.map(({ account }) => account);
    if (alike[0]?.reachable === true) {
      for (const account of accounts) up.add(account);
      await end(accounts);
    } else {
      const lost = alike.filter(({ account }) => up.has(account));
      await begin(lost.map(({ reason = "", ...change }) => ({ ...change, reason })));
      for (const account of accounts) up.delete(account);
    }
  };

  const begin = async (lost: readonly Omit<Required<LinkChange>, "reachable">[]): Promise<void> => {
    const at = clock.now();
    const served = lost.filter(({ account }) => needs.isServed(account));
    const begun = await outages.begin(
      new Map(served.map(({ account, since, reason }) => [account, { at, since, reason }])),
    );
    for (const [account, outage] of begun) await tell(account, outage, "lost");
  };

  const end = async (accounts: readonly string[]): Promise<void> => {
    const open = await outages.open();
    for (const account of accounts) {
      const outage = open.get(account);
      if (outage !== undefined) await tell(account, { ...outage, at: clock.now() }, "restored");
    }
    await outages.stand(accounts);
  };

  const tell = async (...args: Parameters<typeof outageBody>): Promise<void> => {
    const body = outageBody(...args);
    await needs.append(body, JSON.stringify(body));
  };

  const loop = pacedLoop(turn);
  const unfollow = [
    needs.onReachable((change) => {
      changes.push(change);
      loop.wake();
    }),
    needs.onFailed((reason) => {
      failing ??= { reason, until: performance.now() + failsForMs };
      loop.wake();
    }),
  ];
  return {
    async stop() {
      for (const end of unfollow) end();
      await loop.stop();
    },
  };
}

/** Returns the longest first group of changes with different accounts and the same direction. */
function firstAlike(changes: readonly LinkChange[]): readonly LinkChange[] {
  const seen = new Set<string>();
  const other = changes.findIndex(({ account, reachable }) => {
    if (reachable !== changes[0]?.reachable || seen.has(account)) return true;
    seen.add(account);
    return false;
  });
  return other === -1 ? [...changes] : changes.slice(0, other);
}
