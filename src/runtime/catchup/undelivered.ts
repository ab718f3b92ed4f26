import type { NewEntry } from "../store/entry.ts";
import type { Gap } from "./plan.ts";

/**
 * Events that were read back before the platform delivered them. They show that the platform is still retrying a
 * delivery. Until a retry succeeds, it may not even attempt later deliveries of the same person, so the events of these
 * can only be found by reading again.
 */
export interface Undelivered {
  /** Adds recent events that were read back and are new in the journal. */
  appended(entries: readonly NewEntry[]): void;
  /** Removes events that the webhook has delivered after they were read back. */
  delivered(entries: readonly NewEntry[]): void;
  /** Returns the stretches to read now, counts this as a reading, and schedules each account's next one. */
  due(): readonly Gap[];
  stop(): void;
}

export interface UndeliveredNeeds {
  /** Time in milliseconds since the epoch, by the platform's clock. */
  readonly now: () => number;
  /** Real milliseconds: `performance.now()`. */
  readonly monotonic: () => number;
  /** Called when {@link Undelivered.due} may have stretches to read. */
  readonly onDue: () => void;
}

/** Time after which the platform has given up a delivery: about 272 seconds after its first attempt. */
const RETRIED_FOR_MS = 300_000;

/** Real milliseconds before each reading of an account: at most eight, of the 15 allowed in 15 minutes. */
const READ_AFTER_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000, 120_000];

interface Pending {
  /** Times of the events that were not delivered yet, by event key, in milliseconds since the epoch. */
  readonly events: Map<string, number>;
  readings: number;
  /** Real time of the account's next reading. */
  nextAt: number;
}

export function undeliveredEvents({ now, monotonic, onDue }: UndeliveredNeeds): Undelivered {
  const accounts = new Map<string, Pending>();
  const timers = new Set<NodeJS.Timeout>();
  const wakeIn = (ms: number): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      onDue();
    }, ms).unref();
    timers.add(timer);
  };
  const schedule = (pending: Pending): void => {
    const wait = READ_AFTER_MS[pending.readings];
    if (wait === undefined) return;
    pending.nextAt = monotonic() + wait;
    wakeIn(wait);
  };
  return {
    appended(entries) {
      for (const { account, key, at, source } of entries) {
        if (source !== "backfill" || now() - at > RETRIED_FOR_MS) continue;
        const entry = accounts.get(account);
        if (entry !== undefined) entry.events.set(key, at);
        else {
          const pending = { events: new Map([[key, at]]), readings: 0, nextAt: 0 };
          accounts.set(account, pending);
          schedule(pending);
        }
      }
    },
    delivered(entries) {
      for (const { account, key, source } of entries) {
        if (source === "webhook") accounts.get(account)?.events.delete(key);
      }
    },
    due() {
      const gaps: Gap[] = [];
      for (const [account, pending] of accounts) {
        for (const [key, at] of pending.events) {
          if (now() - at > RETRIED_FOR_MS) pending.events.delete(key);
        }
        const isOver = pending.readings >= READ_AFTER_MS.length;
        if (isOver || pending.events.size === 0) accounts.delete(account);
        else if (monotonic() >= pending.nextAt) {
          gaps.push({ account, from: Math.min(...pending.events.values()), to: now() });
          pending.readings += 1;
          schedule(pending);
        }
      }
      return gaps;
    },
    stop() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
