import type { AnswerHeaders } from "../../client/client.ts";

/** The platform's time, as the runtime sees it. Passed in everywhere; nobody reads the machine's clock. */
export interface Clock {
  /** Milliseconds since the epoch, by the platform's clock. */
  now(): number;
  /** Calls `listener` when the clock was moved by hand. Gives the way to stop listening. */
  onJump(listener: () => void): () => void;
  /** When it was set back lately, oldest first, also while this process was down. Absent: nobody tells. */
  setBacks?(): readonly ToldSetBack[];
  /** Learns the platform's time from an answer that took so many milliseconds. Absent: the clock needs no answers. */
  learn?(headers: AnswerHeaders, tookMs: number): void;
}

/** The clock was set back: the time from `to` up to `was` is lived through once more. In ms since the epoch. */
export interface SetBack {
  readonly was: number;
  readonly to: number;
}

/** One that the platform tells of. */
export interface ToldSetBack extends SetBack {
  /** Counts from 1. */
  readonly n: number;
}

/** The machine's clock. It never jumps. */
export const systemClock: Clock = {
  now: () => Date.now(),
  onJump: () => () => {},
};
