import { messageOf } from "../../../system/error-message.ts";
import { StoreError } from "../errors.ts";
import { errorCode } from "../../../system/error-code.ts";

/** Whether an error is a conflict with another transaction. The transaction can be retried at once. */
export function isConflict(error: unknown): boolean {
  const code = errorCode(error);
  // Serialization failure, deadlock, and a key that another transaction has just inserted.
  return code === "40001" || code === "40P01" || code === "23505";
}

/** Whether the connection is unusable or its state is unknown. */
export function isBroken(error: unknown): boolean {
  const code = errorCode(error);
  if (code === undefined) return true;
  return !IS_SERVERS.test(code) || /^(08|57P|25P03|F0|58|XX)/u.test(code);
}

/** Whether a statement waited longer than `lock_timeout` for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return errorCode(error instanceof StoreError ? error.cause : error) === LOCK_TIMEOUT;
}

const LOCK_TIMEOUT = "55P03";

/** Pattern of the server's error codes, which have five characters. Errors of a socket have other codes. */
const IS_SERVERS = /^[0-9A-Z]{5}$/u;

/** Converts an error of the server or of the connection to a `StoreError`. Returns any other error unchanged. */
export function storeErrorOf(error: unknown): unknown {
  if (!isOfDatabase(error)) return error;
  const message = messageOf(error);
  const code = errorCode(error) ?? "";
  const because = { cause: error };
  if (code === "42501" || code.startsWith("28") || code === "3D000") {
    return new StoreError("store-io", `the database refused access: ${message}`, {
      ...because,
      hint: "check user, password and privileges; the needed privileges are listed by: answerback docs several machines",
    });
  }
  if (code === "25006") {
    return new StoreError("store-io", `the database is read-only: ${message}`, {
      ...because,
      hint: "it may be a standby: name the primary server",
    });
  }
  if (code === "42P01") {
    return new StoreError("store-schema", `the database has no tables of the store: ${message}`, {
      ...because,
      hint: "start the bot once: answerback run",
    });
  }
  if (code === "53100") {
    return new StoreError("store-full", `the database's disk is full: ${message}`, {
      ...because,
      hint: "free some space there; no acknowledged event is lost",
    });
  }
  if (code === LOCK_TIMEOUT) {
    return new StoreError("store-io", `the tables are in use by another program: ${message}`, {
      ...because,
      hint: "try again when it has ended; a backup by pg_dump reads the tables in one long transaction",
    });
  }
  if (/^(22|23)/u.test(code)) {
    return new StoreError("store-data", `the store can't hold this data: ${message}`, because);
  }
  if (NEEDS_PASSWORD.test(message)) {
    return new StoreError("store-io", "the database asks for a password, but none is set", {
      ...because,
      hint: "set PGPASSWORD, or name a file with it in PGPASSFILE",
    });
  }
  return new StoreError(
    "store-io",
    `the database can't be reached, or has failed: ${message}`,
    because,
  );
}

/** Message of the client if the server asks for a password and none is configured. */
const NEEDS_PASSWORD = /client password must be a string/u;

/**
 * Whether an error is of the server or the connection. `pg` reports connection faults as plain errors without a code.
 */
function isOfDatabase(error: unknown): boolean {
  if (error instanceof StoreError || !(error instanceof Error)) return false;
  return errorCode(error) !== undefined || Object.getPrototypeOf(error) === Error.prototype;
}
