import type { Json } from "../../protocol/json.ts";
import { counted } from "../../text/counted.ts";

/** How often a rule may run in a time, and what becomes of what is more. */
export interface RunLimit {
  readonly max: number;
  readonly inMs: number;
  readonly overflow: "queue" | "drop" | "escalate";
  /** With escalate: the people who are told. */
  readonly queue?: string;
  /** What would have to wait longer than this is dropped. */
  readonly expiresMs: number;
}

/** What a limit says of one more run: it may start at a time, or not at all. */
export type Allowed =
  | { readonly startsAt: number; /** The times to keep. */ readonly times: readonly number[] }
  | { readonly refused: string };

/** Runs that wait for their turn: more are dropped, however long they might wait. */
const MOST_WAITING = 1_000;

/** Whether one more run may start. `kept` are the times of earlier ones, also of those that still wait. */
export function allow(limit: RunLimit, kept: Json | undefined, now: number): Allowed {
  const { max, inMs, overflow, expiresMs } = limit;
  const all = Array.isArray(kept) ? kept.filter((time) => typeof time === "number") : [];
  const times = all.filter((time) => time > now - inMs);
  // The turn comes when the run that was `max` ago is out of the window.
  const before = times.at(-max);
  if (times.length < max || before === undefined) return { startsAt: now, times: [...times, now] };
  const startsAt = before + inMs;
  const wait = startsAt - now;
  if (overflow !== "queue") return { refused: `ran ${counted(max, "time")}` };
  if (wait > expiresMs) return { refused: `would wait ${Math.round(wait / 1_000)} s` };
  if (times.length - max >= MOST_WAITING) return { refused: `${MOST_WAITING} wait already` };
  return { startsAt, times: [...times, startsAt] };
}
