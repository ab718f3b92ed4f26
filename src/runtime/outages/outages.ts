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
      for (let next = changes[0]; next !== undefined; next = changes[0]) {
        await apply(next);
        changes.shift();
      }
      if (failing === undefined) return NOTHING_TO_DO_MS;
      const leftMs = failing.until - performance.now();
      if (leftMs > 0) return leftMs;
      const { reason } = failing;
      for (const account of await outages.known()) {
        if (!up.has(account)) await begin({ account, reason, since: startedAt });
      }
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
    for (const account of await outages.known()) {
      const open = await outages.open(account);
      if (open !== undefined) await tell(account, open, "lost");
    }
    isRetold = true;
  };

  const apply = async ({ account, reachable, since, reason = "" }: LinkChange): Promise<void> => {
    if (reachable) {
      up.add(account);
      await end(account);
    } else if (up.has(account)) {
      if (needs.isServed(account)) await begin({ account, since, reason });
      up.delete(account);
    }
  };

  const begin = async ({
    account,
    since,
    reason,
  }: Pick<LinkChange, "account" | "since"> & { readonly reason: string }): Promise<void> => {
    if ((await outages.open(account)) !== undefined || !needs.isServed(account)) return;
    const outage = await outages.begin(account, { at: clock.now(), since, reason });
    await tell(account, outage, "lost");
  };

  const end = async (account: string): Promise<void> => {
    const outage = await outages.open(account);
    if (outage !== undefined) await tell(account, { ...outage, at: clock.now() }, "restored");
    await outages.stands(account);
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
