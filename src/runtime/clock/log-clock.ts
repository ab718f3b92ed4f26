import type { Log, LogMethod } from "../log.ts";
import type { Clock } from "./clock.ts";

/**
 * Smallest difference between the two clocks, in milliseconds, that counts: a smaller one may come from their
 * precision.
 */
const NOTABLE_MS = 2_000;

/** Clock of log lines: shows this machine's time, and the bot's time once the bot's clock is known. */
export class LogClock {
  readonly #machine: () => number;
  #clock: Pick<Clock, "now"> | undefined;

  /** @param machine Milliseconds since the epoch by this machine's clock; `Date.now` by default. */
  constructor(machine: () => number = Date.now) {
    this.#machine = machine;
  }

  /** Adds the bot's time, read from `clock`, to the log lines from now on. */
  follow(clock: Pick<Clock, "now">): void {
    this.#clock = clock;
  }

  /** Returns the machine's time, and the bot's if it differs by two seconds or more. */
  read(): { readonly at: number; readonly platformAt?: number } {
    const at = this.#machine();
    const platformAt = this.#clock?.now();
    const differs = platformAt !== undefined && Math.abs(platformAt - at) >= NOTABLE_MS;
    return differs ? { at, platformAt } : { at };
  }
}

/** Returns a log that adds `platform_time` to each line that is written while the two clocks differ. */
export function clockedLog(log: Log, clock: LogClock): Log {
  const method =
    (level: "debug" | "info" | "warn" | "error"): LogMethod =>
    (first: string | object, second?: string): void => {
      const { platformAt } = clock.read();
      if (platformAt === undefined) {
        if (typeof first === "string") log[level](first);
        else log[level](first, second);
        return;
      }
      const stamp = { platform_time: new Date(platformAt).toISOString() };
      if (typeof first === "string") log[level](stamp, first);
      else if (first instanceof Error)
        log[level]({ ...stamp, err: first }, second ?? first.message);
      else log[level]({ ...stamp, ...first }, second);
    };
  return {
    debug: method("debug"),
    info: method("info"),
    warn: method("warn"),
    error: method("error"),
    child: (fields) => clockedLog(log.child(fields), clock),
  };
}
