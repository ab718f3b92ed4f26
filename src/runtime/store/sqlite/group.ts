import { messageOf } from "../../../system/error-message.ts";
import { StoreError } from "../errors.ts";
import { type Database, sqliteCode } from "./binding.ts";
import type { CallName, CallOutcome, StoreCall, StoreFault } from "./calls.ts";
import { needsSync } from "./durability.ts";
import type { Engine } from "./engine.ts";
import { damaged } from "./file/soundness.ts";

/**
 * Executes all waiting writes in one transaction, and syncs the disk once for all of them or not at all.
 *
 * The group is synced only if one of its calls needs that ({@link needsSync}). A later sync of the WAL includes all
 * earlier transactions. A power cut before that sync loses only the end of the WAL, and no data has left this machine
 * because of the lost results. A crash of the process loses nothing.
 *
 * If a call fails with `store-data`, each call of the group is retried in a separate transaction. If the disk fails,
 * all calls of the group fail. If the disk is full, the WAL is checkpointed and truncated to free space, and the group
 * is retried once.
 */
export function write(
  db: Database,
  engine: Engine,
  calls: readonly StoreCall[],
  synced = calls.some(needsSync),
  mayMakeRoom = true,
): CallOutcome[] {
  try {
    engine.durability.begin(synced);
    const before = db.written;
    db.exec("BEGIN IMMEDIATE");
    const outcomes = calls.map((call) => perform(engine, call));
    engine.counters.flush();
    const changed = db.written !== before;
    db.exec("COMMIT");
    engine.durability.keep(synced, changed);
    engine.counters.keep();
    engine.afterwards.keep();
    return outcomes;
  } catch (error) {
    rollBack(db);
    engine.counters.undo();
    engine.afterwards.undo();
    const fault = faultOf(error);
    if (fault.code === "store-io") engine.durability.doubt();
    if (fault.code === "store-full" && mayMakeRoom && engine.checkpoints.makeRoom()) {
      return write(db, engine, calls, synced, false);
    }
    if (calls.length > 1 && fault.code === "store-data") {
      return calls.flatMap((call) => write(db, engine, [call]));
    }
    return calls.map(({ id }) => ({ id, fault }));
  }
}

/** Syncs earlier writes that are not synced yet, by committing a small write with a sync. */
export function catchUp(db: Database, engine: Engine): void {
  if (!engine.durability.isBehind) return;
  engine.counters.add("syncs", 1);
  // No caller waits for this write. If it fails, the next write fails as well, and its caller gets the error.
  write(db, engine, [], true);
}

/** Executes one call that only reads. */
export function read(engine: Engine, call: StoreCall): CallOutcome {
  try {
    return perform(engine, call);
  } catch (error) {
    return { id: call.id, fault: faultOf(error) };
  }
}

function perform<O extends CallName>({ operations }: Engine, call: StoreCall<O>): CallOutcome {
  return { id: call.id, value: operations[call.name](...call.args) };
}

function rollBack(db: Database): void {
  try {
    db.exec("ROLLBACK");
  } catch (error) {
    // After some disk faults SQLite has already rolled back the transaction.
    if (sqliteCode(error) !== SQLITE_ERROR) throw error;
  }
}

/** Converts an error of SQLite or of the store to a fault for the caller. */
export function faultOf(error: unknown): StoreFault {
  if (error instanceof StoreError) {
    return { code: error.code, message: error.message, hint: error.hint };
  }
  const message = messageOf(error);
  switch (sqliteCode(error)) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {
        code: "store-locked",
        message: "another runtime holds this store",
        hint: "stop it first, or ask it: `status`, `journal` and `outbox` talk to the running one",
      };
    case SQLITE_FULL:
      return {
        code: "store-full",
        message: "the store has no room: the disk is full, or the store's size limit is reached",
        hint: "free some space or raise the limit; no acknowledged event is lost",
      };
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return damaged(message);
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      return {
        code: "store-io",
        message: `the store can't be written to: ${message}`,
        hint: "let this user write to the folder and to every file in it, or choose another folder",
      };
    case undefined:
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
      return { code: "store-data", message: `the store can't hold this data: ${message}` };
    default:
      return { code: "store-io", message: `the store's disk failed: ${message}` };
  }
}

const SQLITE_ERROR = 1;
const SQLITE_PERM = 3;
const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_READONLY = 8;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_CONSTRAINT = 19;
const SQLITE_MISMATCH = 20;
const SQLITE_NOTADB = 26;
