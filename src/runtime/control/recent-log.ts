import { RecentItems } from "../../system/recent-items.ts";
import type { LogClock } from "../clock/log-clock.ts";
import type { Log, LogMethod } from "../log.ts";

/** Line of the log. */
export interface RecentLine {
  /** Rises by one with each line, from 1. */
  readonly seq: number;
  /** Time of the line by the machine's clock, in milliseconds since the epoch. */
  readonly at: number;
  /** Time of the line by the bot's clock; absent if the two clocks agree. */
  readonly platformAt?: number;
  readonly level: "info" | "warn" | "error";
  readonly message: string;
  /** Further fields of the line as plain JSON; secrets are not masked yet. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Latest lines of a log, with a subscription to new ones. */
export interface RecentLog {
  readonly lines: () => readonly RecentLine[];
  /** Calls `listener` for each new line. Returns the function that unsubscribes. */
  subscribe(listener: (line: RecentLine) => void): () => void;
}

const KEPT = 1_000;

/** Wraps `log`: passes each line on to it, and keeps the latest lines of the levels `info` and above in memory. */
export function recordedLog(
  log: Log,
  clock: Pick<LogClock, "read">,
): { readonly log: Log; readonly recent: RecentLog } {
  const recent = new RecentItems<RecentLine>(KEPT);
  const listeners = new Set<(line: RecentLine) => void>();
  const record = (level: RecentLine["level"], bound: object, args: readonly unknown[]): void => {
    const [first, second] = args;
    const own = typeof first === "object" && first !== null ? first : {};
    const text = typeof first === "string" ? first : second;
    const message = typeof text === "string" ? text : "";
    const fields = asJson({ ...bound, ...own });
    const line = recent.add((seq) => ({ seq, ...clock.read(), level, message, fields }));
    for (const listener of listeners) listener(line);
  };
  const wrap = (inner: Log, bound: object): Log => {
    const method =
      (level: RecentLine["level"]): LogMethod =>
      (first: string | object, second?: string): void => {
        if (typeof first === "string") inner[level](first);
        else inner[level](first, second);
        record(level, bound, [first, second]);
      };
    return {
      debug: (first: string | object, second?: string): void =>
        typeof first === "string" ? inner.debug(first) : inner.debug(first, second),
      info: method("info"),
      warn: method("warn"),
      error: method("error"),
      child: (fields) => wrap(inner.child(fields), { ...bound, ...fields }),
    };
  };
  return {
    log: wrap(log, {}),
    recent: {
      lines: () => recent.after(0).slice(-KEPT),
      subscribe(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
  };
}

/** Converts fields to plain JSON. Unserialisable fields are left out, because logging must never throw. */
function asJson(fields: object): RecentLine["fields"] {
  try {
    return JSON.parse(JSON.stringify(fields, plain));
  } catch {
    return { left_out: Object.keys(fields).join(", ") };
  }
}

/** Replaces errors and big integers, which JSON cannot represent. */
function plain(_key: string, value: unknown): unknown {
  if (value instanceof Error) {
    const { name, message, stack, cause } = value;
    return { name, message, stack, ...(cause !== undefined && { cause }) };
  }
  return typeof value === "bigint" ? String(value) : value;
}
