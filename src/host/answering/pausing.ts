import type { Clock } from "../../runtime/clock/clock.ts";
import type { Log } from "../../runtime/log.ts";
import { oneByOne } from "../../runtime/loop/one-by-one.ts";
import type { RuntimeEvents } from "../../runtime/runtime-events.ts";
import type { Pause } from "../../runtime/store/pause.ts";
import type { PausePort } from "../../runtime/store/store.ts";

/** Paused accounts: nothing is decided or sent for them, while their events are stored. */
export interface Pausing {
  readonly isPaused: (account: string) => boolean;
  list(): readonly Pause[];
  /** Pauses an account, or all. @returns `false` if it was paused already. */
  pause(account?: string): Promise<boolean>;
  /** Ends the pause of an account; without `account`, every pause. @returns `false` if there was none. */
  resume(account?: string): Promise<boolean>;
  /** Calls `listener` before a pause ends, with its account or undefined for all; waits for the listener to resolve. */
  beforeResume(listener: (account: string | undefined) => Promise<void>): void;
  /** Calls `listener` after pauses have ended. */
  onResumed(listener: () => void): void;
  /** Reads the current pauses and resumes of other processes. */
  refresh(): Promise<void>;
}

export interface PausingNeeds {
  readonly store: PausePort;
  readonly clock: Clock;
  readonly log: Log;
  readonly events: Pick<RuntimeEvents, "publish">;
}

/** Opens the stored pauses. During a pause, sent requests and called handlers finish; all other work waits. */
export async function openPausing({ store, clock, log, events }: PausingNeeds): Promise<Pausing> {
  let stored = await store.pauses();
  /** Pauses that are being stored. They apply already, so that workers stop starting new work at once. */
  let coming: readonly Pause[] = [];
  const pauses = (): readonly Pause[] => [...new Set([...stored, ...coming])];
  /** Reads and writes of the stored pauses run one after the other: a read must not miss a pause that is being stored. */
  const inTurn = oneByOne();
  const listeners: (() => void)[] = [];
  const before: ((account: string | undefined) => Promise<void>)[] = [];
  if (stored.length > 0)
    log.warn({ pauses: stored }, "paused: events are stored, and nothing is answered");

  const end = async ({ account }: Pick<Pause, "account">): Promise<boolean> => {
    const changed = await store.setPause({ ...ofAccount(account), since: undefined });
    if (!changed) return false;
    log.info({ account }, "resumed");
    events.publish({ type: "resumed", data: ofAccount(account) });
    return true;
  };
  return {
    isPaused: (paused) =>
      pauses().some(({ account }) => account === undefined || account === paused),
    list: pauses,
    async pause(account) {
      if (pauses().some((other) => other.account === account)) return false;
      const pause: Pause = { ...ofAccount(account), since: clock.now() };
      coming = [...coming, pause];
      try {
        await inTurn(async () => {
          await store.setPause(pause);
          stored = [...stored, pause];
        });
      } finally {
        coming = coming.filter((other) => other !== pause);
      }
      log.warn({ account }, "paused: events are stored, and nothing is answered");
      events.publish({ type: "paused", data: ofAccount(account) });
      return true;
    },
    async resume(account) {
      for (const listener of before) await listener(account);
      const changed = await inTurn(async () => {
        let isChanged = false;
        for (const pause of account === undefined ? stored : [{ account }]) {
          if (await end(pause)) isChanged = true;
        }
        stored = await store.pauses();
        return isChanged;
      });
      if (changed) for (const listener of listeners) listener();
      return changed;
    },
    beforeResume: (listener) => void before.push(listener),
    onResumed: (listener) => void listeners.push(listener),
    async refresh() {
      const isLess = await inTurn(async () => {
        const earlier = stored;
        stored = await store.pauses();
        return earlier.some((one) => !stored.some(({ account }) => account === one.account));
      });
      if (isLess) for (const listener of listeners) listener();
    },
  };
}

function ofAccount(account: string | undefined): { readonly account?: string } {
  return account === undefined ? {} : { account };
}
