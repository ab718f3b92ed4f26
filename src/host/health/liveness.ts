import { messageOf } from "../../system/error-message.ts";
import { settlesWithin } from "../../runtime/loop/settles-within.ts";

/** Returns the reason why the process must be restarted; undefined while it works. */
export type Liveness = () => Promise<string | undefined>;

/** A disk may be slow for seconds; a thread without an answer for this long is considered hung. */
const ANSWERS_WITHIN_MS = 5_000;

/**
 * Returns a check of the store's thread. An answer also proves that this process's own event loop runs.
 *
 * Calls during a check share its result, so frequent calls add no load to the thread.
 *
 * @param ask Sends the thread a request that costs nothing.
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
