import { RecentItems } from "../../system/recent-items.ts";
import type { LogClock } from "../clock/log-clock.ts";
import type { Log, LogMethod } from "../log.ts";

/** A line of the log. */
export interface RecentLine {
  /** Rises by one with each line, from 1. */
  readonly seq: number;
  /** When it was written by the machine's clock, in milliseconds since the epoch. */
  readonly at: number;
  /** The same by the bot's clock. Absent: the two do not differ. */
  readonly platformAt?: number;
  readonly level: "info" | "warn" | "error";
  readonly message: string;
  /** What else it says; plain JSON, secrets not yet cut out. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The latest lines of a log, and those to come. */
export interface RecentLog {
  readonly lines: () => readonly RecentLine[];
  /** Returns what ends it. */
  subscribe(listener: (line: RecentLine) => void): () => void;
}

const KEPT = 1_000;

/** A log that writes as `log` does, and keeps its latest lines from `info` on. */
export function recordedLog(
  log: Log,
  clock: Pick<LogClock, "read">,
): { readonly log: Log; readonly recent: RecentLog } {
  const kept = new RecentItems<RecentLine>(KEPT);
  const listeners = new Set<(line: RecentLine) => void>();
  const record = (level: RecentLine["level"], bound: object, given: readonly unknown[]): void => {
    const [first, second] = given;
    const own = typeof first === "object" && first !== null ? first : {};
    const text = typeof first === "string" ? first : second;
    const message = typeof text === "string" ? text : "";
    const fields = asJson({ ...bound, ...own });
    const line = kept.add((seq) => ({ seq, ...clock.read(), level, message, fields }));
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
      lines: () => kept.after(0).slice(-KEPT),
      subscribe(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
  };
}

/** As plain JSON; what has no end in it is left out, as nothing may fail since it was logged. */
function asJson(fields: object): RecentLine["fields"] {
  try {
    return JSON.parse(JSON.stringify(fields, plain));
  } catch {
    return { left_out: Object.keys(fields).join(", ") };
  }
}

/** Errors have nothing that JSON would write. */
function plain(_key: string, value: unknown): unknown {
  if (value instanceof Error) {
    const { name, message, stack, cause } = value;
    return { name, message, stack, ...(cause !== undefined && { cause }) };
  }
  return typeof value === "bigint" ? String(value) : value;
}
