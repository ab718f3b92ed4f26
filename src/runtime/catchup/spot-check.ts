import { REPLAY_WINDOW_MS } from "../../protocol/limits.ts";
import type { Span } from "../../system/spans.ts";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import { MINUTE_MS, type Gap } from "./plan.ts";
import { withMargins } from "./readings.ts";
import { readBack, type ReadBackNeeds } from "./read-back.ts";

export interface SpotCheckNeeds extends Omit<ReadBackNeeds, "onHeldUp" | "signal"> {
  readonly clock: Clock;
  readonly log: Log;
  /** Last time at which a challenge or a delivery for the account arrived, in milliseconds since the epoch. */
  readonly lastProof: (account: string) => number;
  /** Stretches of an account within `span`, proven by no replay and compared by no earlier check, oldest first. */
  readonly uncompared: (account: string, span: Span) => Promise<readonly Span[]>;
  /**
   * Returns the time from which events of the account are expected: the end of the last time in which it was unlinked.
   * In milliseconds since the epoch.
   */
  readonly expectedSince: (account: string) => Promise<number>;
  /** Called with a stretch in which no message or mention was missing. */
  readonly onCompared: (compared: Gap) => Promise<void>;
  /** Called with the start of the time from which on deliveries of an account may be missing. */
  readonly onMissing: (account: string, since: number) => void;
}

/**
 * Compares messages and mentions that are read from the platform with the delivered ones, once for each unproven
 * stretch.
 */
export interface SpotCheck {
  /** Checks the accounts that are due, in the background. All `accounts` have to be subscribed. */
  step(accounts: readonly string[]): void;
  stop(): Promise<void>;
}

/**
 * Milliseconds of the platform's clock between two checks of an account. Checks thus use at most two of the 15 reads
 * that the platform allows per account and 15 minutes.
 */
export const CHECK_EVERY_MS = 10 * MINUTE_MS;

/**
 * Age from which an event that was not delivered counts as missed. The platform repeats a delivery after 3, 27 and 272
 * seconds. If only the repetition after 272 seconds succeeds, the event has been read before it arrives.
 */
const DELIVERED_WITHIN_MS = 3 * MINUTE_MS;

/**
 * Detects missing deliveries that nothing else reveals: the connection may have been cut between two challenges, which
 * are an hour apart. Events that are found are appended at once.
 *
 * Follows and likes can't be read. So if deliveries were missing, `onMissing` reports all time since the last proof of
 * delivery.
 */
export function spotCheck(needs: SpotCheckNeeds): SpotCheck {
  const { clock, log, lastProof, uncompared, expectedSince, onCompared, onMissing } = needs;
  const ending = new AbortController();
  const checked = new Map<string, Checked>();
  const underWay = new Map<string, Promise<void>>();

  const note = (account: string, to: number, refusedTo = -Infinity): void =>
    void checked.set(account, { to, proof: Math.min(to, lastProof(account)), refusedTo });

  const check = async (account: string, last: Checked, to: number): Promise<void> => {
    const { signal } = ending;
    try {
      const expected = await expectedSince(account);
      const reach = { from: Math.max(to - REPLAY_WINDOW_MS, last.refusedTo, expected), to };
      const [first] = await uncompared(account, reach);
      const from = Math.max(expected, Math.min(last.to, first?.from ?? last.to));
      if (from >= to) return;
      const gap = { account, from, to };
      const wanted = withMargins(gap, expected);
      const done = await readBack(wanted, { ...needs, onHeldUp: () => {}, signal });
      if (done === undefined) return;
      const isRefused = Object.keys(done.refused).length > 0;
      note(account, to, isRefused ? to : last.refusedTo);
      if (done.fresh === 0) {
        if (!isRefused) await onCompared(gap);
        return;
      }
      log.warn(
        { account, events: done.fresh },
        "deliveries were missed: the events were found by reading from the platform",
      );
      onMissing(account, Math.min(gap.from, last.proof));
    } catch (error) {
      if (!signal.aborted)
        log.error(
          { err: error, account },
          "received events could not be compared with the platform",
        );
    }
  };

  return {
    step(accounts) {
      const to = clock.now() - DELIVERED_WITHIN_MS;
      for (const account of accounts) {
        const last = checked.get(account);
        // A last check in the future means that the clock was set back: checks start again from the present.
        if (last === undefined || last.to > to + DELIVERED_WITHIN_MS) note(account, to);
        else if (to - last.to >= CHECK_EVERY_MS && !underWay.has(account)) {
          const done = check(account, last, to).finally(() => underWay.delete(account));
          underWay.set(account, done);
        }
      }
    },
    async stop() {
      ending.abort();
      await Promise.all(underWay.values());
    },
  };
}

/** Last check of an account, in milliseconds since the epoch. */
interface Checked {
  /** End of the time for which messages and mentions were compared. */
  readonly to: number;
  /** Last time at which a challenge or a delivery for the account arrived, at most `to`. */
  readonly proof: number;
  /** End of the time whose messages or mentions the platform refused to return. It is not read again. */
  readonly refusedTo: number;
}
