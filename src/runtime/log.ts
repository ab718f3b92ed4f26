import { pino, stdSerializers, stdTimeFunctions, type DestinationStream } from "pino";
import { type SecretMask, secretMask } from "../system/secrets/secret-mask.ts";

/** Log of a runtime: a pino logger, or an object with these methods. */
export interface Log {
  /** Details for finding a fault. */
  readonly debug: LogMethod;
  /** Normal events. */
  readonly info: LogMethod;
  /** Events that may need the operator's attention. */
  readonly warn: LogMethod;
  /** Errors. */
  readonly error: LogMethod;
  /** Returns a log that adds `fields` to every line. */
  child(fields: object): Log;
}

/** Logs a message, optionally with fields; an error is the field `err`. */
export interface LogMethod {
  (message: string): void;
  (fields: object, message?: string): void;
}

export interface LogOptions {
  /** Minimum level: `debug`, `info`, `warn`, `error` or `silent`. */
  readonly level: string;
  readonly destination?: DestinationStream;
  /** Masks secrets in the log. A secret that is registered later is masked from then on. */
  readonly mask?: SecretMask;
}

/**
 * Opens a log with one JSON object per line. Secrets are masked in messages, fields at any depth, errors and their
 * causes: by the name of the field, and by the secret's value.
 */
export function openLog({ level, destination, mask = secretMask() }: LogOptions): Log {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    hooks: { streamWrite: mask.line },
    formatters: { log: besideOwn },
    serializers: { err: STACK_LEVELS.has(level) ? stdSerializers.err : errorWithoutStack },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/**
 * Log levels at which the stacks of errors are logged, for finding faults. At other levels the message suffices: it
 * tells the operator what to do.
 */
const STACK_LEVELS: ReadonlySet<string> = new Set(["trace", "debug"]);

/** Returns an error's fields without its stack, and without the stacks of its aggregated errors. */
function errorWithoutStack(error: unknown): unknown {
  return withoutStacks(error instanceof Error ? stdSerializers.err(error) : error);
}

function withoutStacks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutStacks);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== "stack")
      .map(([name, inner]) => [name, name === "aggregateErrors" ? withoutStacks(inner) : inner]),
  );
}

/** Names of the fields that every log line has. */
const OWN = ["level", "time", "msg"] as const;

/** Renames fields that collide with {@link OWN}, such as `level` to `field_level`: JSON would have duplicate names. */
function besideOwn(fields: Record<string, unknown>): Record<string, unknown> {
  if (!OWN.some((name) => name in fields)) return fields;
  const renamed = { ...fields };
  for (const name of OWN) {
    if (!(name in renamed)) continue;
    renamed[`field_${name}`] = renamed[name];
    delete renamed[name];
  }
  return renamed;
}

/** Value of the field `stage` in log lines about a reload of rules and bots. */
export const RELOAD_STAGE = "reload";
