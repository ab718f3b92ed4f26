import type { Clock } from "../../runtime/clock/clock.ts";
import type { Log } from "../../runtime/log.ts";
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
  let pauses = await store.pauses();
  const listeners: (() => void)[] = [];
  const before: ((account: string | undefined) => Promise<void>)[] = [];
  if (pauses.length > 0) log.warn({ pauses }, "paused: events are stored, and nothing is answered");

  const end = async ({ account }: Pick<Pause, "account">): Promise<boolean> => {
    const changed = await store.setPause({ ...ofAccount(account), since: undefined });
    if (!changed) return false;
    log.info({ account }, "resumed");
    events.publish({ type: "resumed", data: ofAccount(account) });
    return true;
  };
  return {
    isPaused: (paused) => pauses.some(({ account }) => account === undefined || account === paused),
    list: () => pauses,
    async pause(account) {
      const pause: Pause = { ...ofAccount(account), since: clock.now() };
      const earlier = pauses;
      if (earlier.some((other) => other.account === account)) return false;
      // The pause applies even before it is stored, so that workers stop starting new work at once.
      pauses = [...earlier, pause];
      try {
        await store.setPause(pause);
      } catch (error) {
        pauses = pauses.filter((other) => other !== pause);
        throw error;
      }
      log.warn({ account }, "paused: events are stored, and nothing is answered");
      events.publish({ type: "paused", data: ofAccount(account) });
      return true;
    },
    async resume(account) {
      for (const listener of before) await listener(account);
      const ending = account === undefined ? pauses : [{ account }];
      let changed = false;
      for (const pause of ending) if (await end(pause)) changed = true;
      pauses = await store.pauses();
      if (changed) for (const listener of listeners) listener();
      return changed;
    },
    beforeResume: (listener) => void before.push(listener),
    onResumed: (listener) => void listeners.push(listener),
    async refresh() {
      const earlier = pauses;
      pauses = await store.pauses();
      const isOver = (one: Pause) => !pauses.some(({ account }) => account === one.account);
      if (earlier.some(isOver)) for (const listener of listeners) listener();
    },
  };
}

function ofAccount(account: string | undefined): { readonly account?: string } {
  return account === undefined ? {} : { account };
}
