import { DURATION, durationMs } from "../../system/duration.ts";

/** Longest duration of a wait. */
const MAX_WAIT_MS = 366 * 86_400_000;

/**
 * Parses a duration of a bot's author into milliseconds.
 *
 * @param what Name in the error, such as `the timeout of ctx.ask`.
 * @throws {TypeError} if it is not a duration, or exceeds 366 days.
 */
export function millisecondsOf(duration: unknown, what: string): number {
  const ms =
    typeof duration === "string" && DURATION.test(duration) ? durationMs(duration) : undefined;
  if (ms !== undefined && ms <= MAX_WAIT_MS) return ms;
  throw new TypeError(
    `${what} is a duration such as "15m", of 366d at most, got ${JSON.stringify(duration) ?? "none"}`,
  );
}
