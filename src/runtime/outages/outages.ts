import type { Log } from "../log.ts";
import { pacedLoop } from "../loop/paced-loop.ts";
import { type OutageJournal, outageJournal, type OutageJournalNeeds } from "./outage-journal.ts";

/** Change of an account's reachability: its events start or stop arriving. */
export interface LinkChange {
  /** User id. */
  readonly account: string;
  readonly reachable: boolean;
  /** If not reachable: last time at which the account's events surely arrived, in milliseconds since the epoch. */
  readonly since: number;
  /** Reason why the account's events do not arrive. */
  readonly reason?: string;
}

export interface OutagesNeeds extends OutageJournalNeeds {
  /** Calls the listener with the current state first, then with each change. Returns the function that unsubscribes. */
  readonly onReachable: (listener: (change: LinkChange) => void) => () => void;
  /** Calls the listener with the reason if connecting to the platform fails at the start. */
  readonly onFailed: (listener: (reason: string) => void) => () => void;
  readonly log: Log;
  /**
   * Real milliseconds for which connecting to the platform may fail before the failure is an outage; by default a
   * minute.
   */
  readonly failsForMs?: number;
}

/** Appends the beginning and the end of each account's outages to the journal, once each. */
export interface Outages {
  /** Stops watching the accounts' reachability, and resolves when the current write has ended. */
  stop(): Promise<void>;
}

const RETRY_MS = 5_000;
const NOTHING_TO_DO_MS = 2 ** 31 - 1;
const FAILS_FOR_MS = 60_000;

/**
 * Watches whether the accounts' events arrive, and appends outages to the journal. An outage survives restarts: it
 * begins once and ends once, whichever process reports it. Accounts whose events have never arrived have no outages.
 */
export function followOutages(needs: OutagesNeeds): Outages {
  const { clock, log, failsForMs = FAILS_FOR_MS } = needs;
  const journal = outageJournal(needs);
  const startedAt = clock.now();
  const changes: LinkChange[] = [];
  /** Accounts whose events arrived in this process, and still arrive. */
  const up = new Set<string>();
  /** Reason why the process can't connect to the platform, and the real time from which this counts as an outage. */
  let failing: { readonly reason: string; readonly until: number } | undefined;

  const turn = async (): Promise<number> => {
    try {
      await journal.repeatOpen();
      for (let alike = firstAlike(changes); alike.length > 0; alike = firstAlike(changes)) {
        await applyAlike(alike, up, journal);
        changes.splice(0, alike.length);
      }
      if (failing === undefined) return NOTHING_TO_DO_MS;
      const remainingMs = failing.until - performance.now();
      if (remainingMs > 0) return remainingMs;
      const { reason } = failing;
      const down = (await journal.listKnownAccounts()).filter((account) => !up.has(account));
      await journal.begin(down.map((account) => ({ account, reason, since: startedAt })));
      failing = undefined;
      return NOTHING_TO_DO_MS;
    } catch (error) {
      log.warn({ err: error }, "an outage could not be recorded; retrying");
      return RETRY_MS;
    }
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

/**
 * Ends the outages of accounts that became reachable, or begins outages of accounts that became unreachable.
 *
 * @param alike Changes of different accounts, all to reachable or all to unreachable.
 * @param up Accounts whose events arrive; updated.
 */
async function applyAlike(
  alike: readonly LinkChange[],
  up: Set<string>,
  journal: OutageJournal,
): Promise<void> {
  const accounts = alike.map(({ account }) => account);
  if (alike[0]?.reachable === true) {
    for (const account of accounts) up.add(account);
    await journal.end(accounts);
  } else {
    const lost = alike.filter(({ account }) => up.has(account));
    await journal.begin(lost.map(({ reason = "", ...change }) => ({ ...change, reason })));
    for (const account of accounts) up.delete(account);
  }
}

/** Returns the first changes that can be applied together: all have different accounts and the same direction. */
function firstAlike(changes: readonly LinkChange[]): readonly LinkChange[] {
  const seen = new Set<string>();
  const other = changes.findIndex(({ account, reachable }) => {
    if (reachable !== changes[0]?.reachable || seen.has(account)) return true;
    seen.add(account);
    return false;
  });
  return other === -1 ? [...changes] : changes.slice(0, other);
}
