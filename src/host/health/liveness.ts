import { messageOf } from "../../system/error-message.ts";
import { settlesWithin } from "../../runtime/loop/settles-within.ts";

/** Says why the process has to be started anew; undefined while it works. */
export type Liveness = () => Promise<string | undefined>;

/** A disk may be slow for seconds; a thread that answers nothing for so long answers no more. */
const ANSWERS_WITHIN_MS = 5_000;

/**
 * Whether the store's thread answers. That this process's own event loop does is shown by the answer.
 *
 * Whoever asks meanwhile gets the same answer: asking often asks the thread no more often.
 *
 * @param ask Asks the thread something that costs nothing.
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
