import { DURATION, durationMs } from "../../system/duration.ts";

/** Who waits for longer waits for good. */
const MOST_MS = 366 * 86_400_000;

/**
 * A duration that an author has given, in milliseconds.
 *
 * @param what Named in the error: `the timeout of ctx.ask`.
 * @throws {TypeError} where it is none, or of more than 366 days.
 */
export function millisecondsOf(duration: unknown, what: string): number {
  const ms =
    typeof duration === "string" && DURATION.test(duration) ? durationMs(duration) : undefined;
  if (ms !== undefined && ms <= MOST_MS) return ms;
  throw new TypeError(
    `${what} is a duration such as "15m", of 366d at most, got ${JSON.stringify(duration) ?? "none"}`,
  );
}
