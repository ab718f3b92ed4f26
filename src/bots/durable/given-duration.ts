import { DURATION, durationMs } from "../../system/duration.ts";

/** Maximum duration of a wait. */
const MAX_WAIT_MS = 366 * 86_400_000;

/**
 * Parses a duration in a bot's code, such as `15m`, to milliseconds.
 *
 * @param what Name of the argument in errors, such as `the timeout of ctx.ask`.
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

/** Parses a duration like {@link millisecondsOf}. @throws {TypeError} for a duration of 0, too. */
export function lifetimeOf(duration: unknown, what: string): number {
  const ms = millisecondsOf(duration, what);
  if (ms > 0) return ms;
  throw new TypeError(`${what} is longer than 0, got ${JSON.stringify(duration)}`);
}
