/** The platform's time, as the runtime sees it. Passed in everywhere; nobody reads the machine's clock. */
export interface Clock {
  /** Milliseconds since the epoch, by the platform's clock. */
  now(): number;
  /** Calls `listener` when the clock was moved by hand. Gives the way to stop listening. */
  onJump(listener: () => void): () => void;
}

/** The machine's clock, which the live platform shares. It never jumps. */
export const systemClock: Clock = {
  now: () => Date.now(),
  onJump: () => () => {},
};
