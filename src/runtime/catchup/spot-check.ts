import { REPLAY_WINDOW_MS } from "../../protocol/limits.ts";
import type { Span } from "../../system/spans.ts";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import { MINUTE_MS, type Gap } from "./plan.ts";
import { readBack, type ReadBackNeeds } from "./read-back.ts";

export interface SpotCheckNeeds extends Omit<ReadBackNeeds, "onHeldUp" | "signal"> {
  readonly clock: Clock;
  readonly log: Log;
  /** When the platform last reached this machine for an account, in milliseconds since the epoch. */
  readonly lastProof: (account: string) => number;
  /** Time of an account within `span` that nothing vouches for and that was not compared, oldest first. */
  readonly uncompared: (account: string, span: Span) => Promise<readonly Span[]>;
  /** From when on events of an account are expected, in milliseconds since the epoch: it was unlinked before. */
  readonly expectedSince: (account: string) => Promise<number>;
  /** Called when nothing that can be read was missing in this time. */
  readonly onCompared: (compared: Gap) => Promise<void>;
  /** Called when deliveries of an account went missing, though nothing else said so. */
  readonly onMissing: (account: string, since: number) => void;
}

/** Compares what the platform shows with what it delivered: each stretch that nothing vouches for, once. */
export interface SpotCheck {
  /** Looks at those of these accounts whose time has come, in the background. They are subscribed. */
  step(accounts: readonly string[]): void;
  stop(): Promise<void>;
}

/** Milliseconds of the platform's clock between two looks at an account: two of its 15 reads in 15 minutes. */
export const CHECK_EVERY_MS = 10 * MINUTE_MS;

/** A delivery that the platform repeats may be on its way for so long. */
const DELIVERED_WITHIN_MS = 3 * MINUTE_MS;

/**
 * Finds out that deliveries go missing where nothing else tells: between two challenges, an hour apart,
 * the way to this machine may have been cut. What it finds is taken in at once; what cannot be read, such as
 * follows and likes, may be missing since the last proof before, and until the next.
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
      const done = await readBack(gap, { ...needs, onHeldUp: () => {}, signal });
      if (done === undefined) return;
      const isRefused = Object.keys(done.refused).length > 0;
      note(account, to, isRefused ? to : last.refusedTo);
      if (done.fresh === 0) {
        if (!isRefused) await onCompared(gap);
        return;
      }
      log.warn({ account, events: done.fresh }, "deliveries went missing: found by reading");
      onMissing(account, Math.min(gap.from, last.proof));
    } catch (error) {
      if (!signal.aborted) log.error({ err: error, account }, "not compared");
    }
  };

  return {
    step(accounts) {
      const to = clock.now() - DELIVERED_WITHIN_MS;
      for (const account of accounts) {
        const last = checked.get(account);
        // A clock that was set back comes by the same time again.
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

/** The last look at an account, in milliseconds since the epoch. */
interface Checked {
  /** Up to when it reached. */
  readonly to: number;
  /** The last proof before that. */
  readonly proof: number;
  /** What is older can't be read whole, and is not asked for again. */
  readonly refusedTo: number;
}
