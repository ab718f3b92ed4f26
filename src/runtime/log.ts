import { pino, stdTimeFunctions, type DestinationStream } from "pino";

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
}

const SECRET_NAMES = [
  "authorization",
  "consumerSecret",
  "accessToken",
  "accessTokenSecret",
  "bearerToken",
  "clientSecret",
  "token",
  "secret",
];

/** A log of one JSON object a line. Secrets are cut out by name. */
export function openLog({ level, destination }: LogOptions): Log {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    redact: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
