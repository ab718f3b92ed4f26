import type { Json } from "../../protocol/json.ts";
import { counted } from "../../text/counted.ts";

/** Rate limit of a rule, and the handling of events above it. */
export interface RunLimit {
  readonly max: number;
  readonly inMs: number;
  readonly overflow: "queue" | "drop" | "escalate";
  /** Escalation queue for `overflow: escalate`. */
  readonly queue?: string;
  /** Longest wait in milliseconds: a run that would have to wait longer is dropped. */
  readonly expiresMs: number;
}

/** Verdict on one more run under a limit: the time at which the run may start, or a refusal. */
export type Allowed =
  | {
      readonly startsAt: number;
      /** Start times to store for the next decision. */
      readonly times: readonly number[];
    }
  | { readonly refused: string };

/** Maximum number of waiting runs. Further runs are dropped, however short their wait would be. */
const MAX_WAITING_RUNS = 1_000;

/** Decides whether one more run may start. `storedTimes` has the start times of earlier runs, including waiting ones. */
export function allow(limit: RunLimit, storedTimes: Json | undefined, now: number): Allowed {
  const { max, inMs, overflow, expiresMs } = limit;
  const all = Array.isArray(storedTimes)
    ? storedTimes.filter((time) => typeof time === "number")
    : [];
  const times = all.filter((time) => time > now - inMs);
  // A window may contain `max` runs. The next run starts when the `max`th latest run has left the window.
  const before = times.at(-max);
  if (before === undefined) return { startsAt: now, times: [...times, now] };
  const startsAt = before + inMs;
  const wait = startsAt - now;
  if (overflow !== "queue") return { refused: `ran ${counted(max, "time")}` };
  if (wait > expiresMs) return { refused: `would wait ${Math.round(wait / 1_000)} s` };
  if (times.length - max >= MAX_WAITING_RUNS)
    return { refused: `${MAX_WAITING_RUNS} wait already` };
  return { startsAt, times: [...times, startsAt] };
}
