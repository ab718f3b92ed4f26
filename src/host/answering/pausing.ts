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

/**
 * Opens the stored pauses. During a pause, sent requests and called handlers finish; all other work waits. A called
 * handler that asks the platform is ended, and called again after the pause.
 */
export async function openPausing(needs: PausingNeeds): Promise<Pausing> {
  const pauses = await needs.store.pauses();
  if (pauses.length > 0) needs.log.warn({ pauses }, PAUSED);
  return new StoredPauses(needs, pauses);
}

const PAUSED = "paused: events are stored, and nothing is answered";

class StoredPauses implements Pausing {
  readonly #needs: PausingNeeds;
  #stored: readonly Pause[];
  /** Pauses that are being stored. They apply already, so that workers stop starting new work at once. */
  #coming: readonly Pause[] = [];
  /** Reads and writes of the stored pauses run one after the other: a read must not miss a pause that is being stored. */
  readonly #inTurn = oneByOne();
  readonly #listeners: (() => void)[] = [];
  readonly #before: ((account: string | undefined) => Promise<void>)[] = [];

  constructor(needs: PausingNeeds, stored: readonly Pause[]) {
    this.#needs = needs;
    this.#stored = stored;
  }

  readonly isPaused = (paused: string): boolean => {
    const isOf = ({ account }: Pause): boolean => account === undefined || account === paused;
    return this.#stored.some(isOf) || this.#coming.some(isOf);
  };

  readonly list = (): readonly Pause[] => [...new Set([...this.#stored, ...this.#coming])];

  async pause(account?: string): Promise<boolean> {
    const { store, clock, log, events } = this.#needs;
    if (this.list().some((other) => other.account === account)) return false;
    const pause: Pause = { ...ofAccount(account), since: clock.now() };
    this.#coming = [...this.#coming, pause];
    try {
      await this.#inTurn(async () => {
        await store.setPause(pause);
        this.#stored = [...this.#stored, pause];
      });
    } finally {
      this.#coming = this.#coming.filter((other) => other !== pause);
    }
    log.warn({ account }, PAUSED);
    events.publish({ type: "paused", data: ofAccount(account) });
    return true;
  }

  async resume(account?: string): Promise<boolean> {
    for (const listener of this.#before) await listener(account);
    return this.#inTurn(async () => {
      let isChanged = false;
      for (const pause of account === undefined ? this.#stored : [{ account }]) {
        if (await this.#end(pause)) isChanged = true;
      }
      this.#stored = await this.#needs.store.pauses();
      if (isChanged) this.#resumed();
      return isChanged;
    });
  }

  beforeResume(listener: (account: string | undefined) => Promise<void>): void {
    this.#before.push(listener);
  }

  onResumed(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async refresh(): Promise<void> {
    await this.#inTurn(async () => {
      const earlier = this.#stored;
      this.#stored = await this.#needs.store.pauses();
      const isLess = earlier.some(
        (one) => !this.#stored.some(({ account }) => account === one.account),
      );
      if (isLess) this.#resumed();
    });
  }

  /** Calls the listeners before other work of this process sees the end of the pause. */
  #resumed(): void {
    for (const listener of this.#listeners) listener();
  }

  async #end({ account }: Pick<Pause, "account">): Promise<boolean> {
    const { store, log, events } = this.#needs;
    if (!(await store.setPause({ ...ofAccount(account), since: undefined }))) return false;
    log.info({ account }, "resumed");
    events.publish({ type: "resumed", data: ofAccount(account) });
    return true;
  }
}

function ofAccount(account: string | undefined): { readonly account?: string } {
  return account === undefined ? {} : { account };
}
