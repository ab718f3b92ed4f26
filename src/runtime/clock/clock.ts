import type { AnswerHeaders } from "../../client/client.ts";

/** Clock of the platform. It is passed in everywhere; no module reads the machine's clock directly. */
export interface Clock {
  /** Time in milliseconds since the epoch, by the platform's clock. */
  now(): number;
  /** Calls `listener` when the clock was moved by hand, or corrected. Returns the function that unsubscribes. */
  onJump(listener: () => void): () => void;
  /**
   * Whether all jumps are corrections by the platform's time. The time that a correction passes has really passed: the
   * machine was suspended, for example. Absent: the clock is moved by hand.
   */
  readonly jumpsAreCorrections?: true;
  /** Whether the clock is being moved step by step; `onJump` reports only the first and the last step. Absent: never. */
  isMoving?(): boolean;
  /** Whether the platform's time was read since the start; see {@link isTimeKnown}. Absent: always. */
  isKnown?(): boolean;
  /** Latest set-backs of the clock, oldest first, also from before this process. Absent: none are reported. */
  setBacks?(): readonly ToldSetBack[];
  /**
   * Learns the platform's time from an HTTP response that took `tookMs` milliseconds. Absent: the clock needs no
   * responses.
   */
  learn?(headers: AnswerHeaders, tookMs: number): void;
}

/**
 * Set-back of the clock from `was` to `to`: the time between the two happens again. In milliseconds since the epoch.
 */
export interface SetBack {
  readonly was: number;
  readonly to: number;
}

/** Set-back that the platform reported. */
export interface ToldSetBack extends SetBack {
  /** Sequence number, from 1. */
  readonly n: number;
}

/**
 * Whether decisions that can't be undone may be based on the clock: to delete data, or to give up an answer or a
 * question. A wrong clock of the machine is corrected with the platform's first response.
 */
export function isTimeKnown({ isKnown }: Pick<Clock, "isKnown">): boolean {
  return isKnown?.() !== false;
}

/** The machine's clock. It never jumps. */
export const systemClock: Clock = {
  now: () => Date.now(),
  onJump: () => () => {},
};
