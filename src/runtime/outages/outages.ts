import { outageBody } from "../../events/kinds/link.ts";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import { pacedLoop } from "../loop/paced-loop.ts";
import type { Append } from "../source.ts";
import type { Store } from "../store/store.ts";
import { outageMemory } from "./outage-memory.ts";

/** Whether an account's events come, from a moment on. */
export interface LinkChange {
  /** User id. */
  readonly account: string;
  readonly reachable: boolean;
  /** Not reachable: the last time at which its events surely came, in milliseconds since the epoch. */
  readonly since: number;
  /** Why its events don't come. */
  readonly reason?: string;
}

export interface OutagesNeeds {
  /** Calls its listener with each change, beginning with how it is now. Returns what ends that. */
  readonly onReachable: (listener: (change: LinkChange) => void) => () => void;
  /** Calls its listener when the link could not be made since the start, with the reason. */
  readonly onFailed: (listener: (reason: string) => void) => () => void;
  /** Whether an account is the bot's, with its owner's leave. */
  readonly isServed: (account: string) => boolean;
  readonly append: Append;
  readonly memory: Pick<Store, "getMeta" | "setMeta">;
  readonly clock: Clock;
  readonly log: Log;
  /** Real milliseconds for which a link may fail to be made before that is an outage; a minute unless said. */
  readonly failsForMs?: number;
}

/** Puts the beginning and the end of each account's outages into the journal, once each. */
export interface Outages {
  /** Follows the link no more, and resolves when what is under way has ended. */
  stop(): Promise<void>;
}

const RETRY_MS = 5_000;
const NOTHING_TO_DO_MS = 2 ** 31 - 1;
const FAILS_FOR_MS = 60_000;

/**
 * Follows the link. An outage goes on over a restart: it began once and ends once, whoever tells of it. An account
 * whose events have never come has none.
 */
export function followOutages(needs: OutagesNeeds): Outages {
  const { clock, log, failsForMs = FAILS_FOR_MS } = needs;
  const outages = outageMemory(needs.memory);
  const startedAt = clock.now();
  const changes: LinkChange[] = [];
  /** Accounts whose events have come in this process, and come. */
  const up = new Set<string>();
  /** Why the link could not be made, and from when on that is an outage. */
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
      const down = (await outages.known()).filter((account) => !up.has(account));
      await begin(down.map((account) => ({ account, reason, since: startedAt })));
      failing = undefined;
      return NOTHING_TO_DO_MS;
    } catch (error) {
      log.warn({ err: error }, "an outage of the link was not kept; trying again");
      return RETRY_MS;
    }
  };

  /** A process that ended may have noted an outage and not told it: its key is known if it has. */
  let isRetold = false;
  const retell = async (): Promise<void> => {
    if (isRetold) return;
    for (const [account, open] of await outages.open()) await tell(account, open, "lost");
    isRetold = true;
  };

  /** @param alike Changes of different accounts, all of them to the better or to the worse. */
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

  const tell = async (...told: Parameters<typeof outageBody>): Promise<void> => {
    const body = outageBody(...told);
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

/** The first changes that go together: each of another account, and all in one direction. */
function firstAlike(changes: readonly LinkChange[]): readonly LinkChange[] {
  const seen = new Set<string>();
  const other = changes.findIndex(({ account, reachable }) => {
    if (reachable !== changes[0]?.reachable || seen.has(account)) return true;
    seen.add(account);
    return false;
  });
  return other === -1 ? [...changes] : changes.slice(0, other);
}
