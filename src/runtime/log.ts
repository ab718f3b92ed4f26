import { pino, stdTimeFunctions, type DestinationStream, type Logger } from "pino";

/** Structured log, one JSON object a line. Secrets are cut out by name. */
export type Log = Logger;

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

/** Opens a log. */
export function openLog({ level, destination }: LogOptions): Log {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    redact: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
