import * as z from "zod";
import { DURATION, durationMs } from "../../system/duration.ts";
import { isPostgresUrl, openToOthers } from "../../system/postgres-url.ts";
import { starPasswordOf } from "../../text/star-passwords.ts";
import { reporting, text, type ValueMistake } from "./shared-schemas.ts";

const EITHER = 'write a folder: "file:../data", or "postgres://user@host:5432/name"';
const WHOLE = 'write the complete URL: "postgres://user@host:5432/name"';

/** Values of `sslmode`, as in PostgreSQL's own tools. Modes with a silent fallback to no encryption are excluded. */
const SSL_MODES = ["disable", "require", "verify-ca", "verify-full"];

/** URL of the store. */
export const storeUrl = z
  .string()
  .superRefine(reporting(storeMistake))
  .meta({ pattern: "^(file|postgres|postgresql):.+" });

function storeMistake(value: string): ValueMistake | undefined {
  if (value.startsWith("file:")) return folderMistake(value);
  if (isPostgresUrl(value)) return postgresMistake(value);
  const shown = starPasswordOf(value);
  return { message: `${JSON.stringify(shown)} is not a store`, help: storeMeant(shown) ?? EITHER };
}

/** Returns what to write for a folder or database in another tool's form; undefined for other values. */
function storeMeant(value: string): string | undefined {
  if (/^(?:sqlite3?|file|folder|fs):/i.test(value) || /^\.{0,2}\//.test(value)) {
    const folder = value
      .replace(/^\w+:(?:\/\/(?=\/|\.))?/, "")
      .replace(/(?:^|\/)[^/]*\.(?:db|sqlite3?|json)$/i, "");
    return `write a folder: ${JSON.stringify(`file:${folder === "" ? "../data" : folder}`)}`;
  }
  if (/^(?:pg|psql|postgres\w*)(?:\+\w+)?:\/\//i.test(value)) {
    return `write ${JSON.stringify(value.replace(/^[^:]+/, "postgres"))}`;
  }
  return undefined;
}

/** Returns why a `file:` store would be in another folder than its text seems to name; undefined if it is right. */
export function folderMistake(value: string): ValueMistake | undefined {
  const [, folder = ""] = /^file:(.*)$/s.exec(value) ?? [];
  const shown = JSON.stringify(value);
  const mistake = tildeMistake(folder, "file:");
  if (mistake !== undefined) return mistake;
  const relative = /^\/\/([^/].*)$/s.exec(folder)?.[1];
  if (relative !== undefined) {
    const message = `${shown} is not a store: after "//" a path begins with "/"`;
    return { message, help: `write ${JSON.stringify(`file:${relative}`)}` };
  }
  return /^\S/.test(folder) ? undefined : { message: `${shown} is not a store`, help: EITHER };
}

/**
 * Returns why a path with a `~` at its start would not be in the user's home folder; undefined for other paths.
 *
 * @param scheme Text before the path, for the message.
 */
export function tildeMistake(folder: string, scheme = ""): ValueMistake | undefined {
  if (!/^~(\/|$)/.test(folder)) return undefined;
  return {
    message: `${JSON.stringify(scheme + folder)} names a folder called "~", because only shells replace it`,
    help: `write the whole path, as in: "${scheme}/home/me/data"`,
  };
}

/** Path of a folder. */
export const folderPath = text.superRefine(reporting((value) => tildeMistake(value)));

function postgresMistake(value: string): ValueMistake | undefined {
  if (!URL.canParse(value)) {
    return { message: "this is not the URL of a PostgreSQL database", help: WHOLE };
  }
  const { hostname, pathname, searchParams } = new URL(value);
  if (hostname.includes(",")) {
    return { message: "this URL names several servers, but a store has one", help: WHOLE };
  }
  if (!/^\/[^/]+$/.test(pathname)) {
    return { message: "this URL names no database", help: WHOLE };
  }
  const mode = searchParams.get("sslmode");
  if (mode !== null && !SSL_MODES.includes(mode)) {
    return {
      message: `sslmode ${JSON.stringify(mode)} is not one of: ${SSL_MODES.join(", ")}`,
      help: "write sslmode=verify-full&sslrootcert=FILE, with the certificate of the CA that signed the server's",
    };
  }
  const certificate = searchParams.get("sslrootcert");
  if (mode === "verify-ca" && (certificate === null || certificate === "system")) {
    return {
      message: "sslmode=verify-ca has no effect without a root certificate",
      help: "write sslmode=verify-ca&sslrootcert=FILE",
    };
  }
  return openToOthers(value);
}

const duration = z.string().superRefine(
  reporting((value) =>
    DURATION.test(value) && durationMs(value) > 0
      ? undefined
      : {
          message: `${JSON.stringify(value)} is not a duration`,
          help: 'write a number and its unit, as "30s" or "2m"',
        },
  ),
);

/** Connection settings of a PostgreSQL store. */
export const postgresSettings = z.strictObject({
  pool: z
    .int("not a whole number of connections")
    .min(2, "too few: it needs 2 connections")
    .max(1_000, "more than a server takes: 1000 connections at most")
    .default(10)
    .describe("Maximum number of connections of a process to a PostgreSQL store.")
    .meta({ examples: [20] }),
  statement_timeout: duration
    .default("30s")
    .describe("Time after which the server aborts a statement.")
    .meta({ examples: ["1m"] }),
  connect_timeout: duration
    .default("5s")
    .describe("Time limit for opening a connection.")
    .meta({ examples: ["10s"] }),
});
