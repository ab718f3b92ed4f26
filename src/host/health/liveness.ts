import { messageOf } from "../../system/error-message.ts";
import { settlesWithin } from "../../system/time/settles-within.ts";

/** Returns the reason why the process must be restarted; undefined while it works. */
export type Liveness = () => Promise<string | undefined>;

/** Milliseconds without a response after which the store counts as hung. A slow disk may need seconds. */
const ANSWERS_WITHIN_MS = 5_000;

/**
 * Returns a check whether the store responds. A response also proves that this process's own event loop runs.
 *
 * Calls during a check share its result, so frequent calls add no load to the store.
 *
 * @param ask Sends the store a cheap request.
 */
export function liveness(
  ask: () => Promise<unknown>,
  withinMs: number = ANSWERS_WITHIN_MS,
): Liveness {
  let asking: Promise<string | undefined> | undefined;
  const look = async (): Promise<string | undefined> => {
    try {
      const answered = await settlesWithin(withinMs, ask());
      return answered ? undefined : `the store has answered nothing for ${withinMs} ms`;
    } catch (error) {
      return `the store does not answer: ${messageOf(error)}`;
    }
  };
  return () => {
    asking ??= look().finally(() => (asking = undefined));
    return asking;
  };
}
