import { pino, stdSerializers, stdTimeFunctions, type DestinationStream } from "pino";
import { type SecretMask, secretMask } from "../system/secrets/secret-mask.ts";

/** Where a runtime logs: a pino logger, or anything with these methods. */
export interface Log {
  /** What only somebody who looks for a fault wants. */
  readonly debug: LogMethod;
  /** What happened as it should. */
  readonly info: LogMethod;
  /** What an operator may have to look at. */
  readonly warn: LogMethod;
  /** What went wrong. */
  readonly error: LogMethod;
  /** A log that adds `fields` to every line. */
  child(fields: object): Log;
}

/** Logs a message, with fields where there are some; an error is the field `err`. */
export interface LogMethod {
  (message: string): void;
  (fields: object, message?: string): void;
}

export interface LogOptions {
  /** `debug`, `info`, `warn`, `error` or `silent`. */
  readonly level: string;
  readonly destination?: DestinationStream;
  /** Knows the secrets by value; those are cut out from the moment on that it knows them. */
  readonly mask?: SecretMask;
}

/**
 * A log of one JSON object a line. Secrets are cut out of the whole line, by name and by value: of
 * messages, fields at any depth, errors and their causes.
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

/** Levels at which stacks are logged: elsewhere an operator reads, and the message says what to do. */
const STACK_LEVELS: ReadonlySet<string> = new Set(["trace", "debug"]);

/** Returns an error's fields without its stack, and without those of the errors that it was made of. */
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

/** Names of the fields that each line has. */
const OWN = ["level", "time", "msg"] as const;

/** Renames fields with the names of a line's own, such as `level` to `field_level`: JSON would have them twice. */
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

/** The stage of lines that tell of rules and bots read again. */
export const RELOAD_STAGE = "reload";
