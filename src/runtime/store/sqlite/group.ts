import { messageOf } from "../../../system/error-message.ts";
import { StoreError } from "../errors.ts";
import { type Database, sqliteCode } from "./binding.ts";
import type { CallName, CallOutcome, StoreCall, StoreFault } from "./calls.ts";
import { needsSync } from "./durability.ts";
import type { Engine } from "./engine.ts";
import { damaged } from "./file/soundness.ts";

/**
 * Does every waiting write in one transaction, with one device sync for all, or with none.
 *
 * A group that lets nothing out of this machine ({@link needsSync}) is not synced: the log of writes is
 * synced as a whole and read to its first gap, so the next sync carries it, and a power cut before that
 * takes the end of the log only, from which nothing had followed. The end of the process takes nothing.
 *
 * One call that can't be done must not take the others with it: then each gets a transaction of its
 * own. A fault of the disk is everybody's, and nothing of the group is kept. Where there is no room, the
 * log of writes may hold some that the file has already: it is emptied and tried once more.
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
    const before = engine.changes();
    db.exec("BEGIN IMMEDIATE");
    const outcomes = calls.map((call) => perform(engine, call));
    engine.counters.flush();
    const changed = engine.changes() !== before;
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

/** Syncs what no device sync has followed yet, by writing something small. */
export function catchUp(db: Database, engine: Engine): void {
  if (!engine.durability.isBehind) return;
  engine.counters.add("syncs", 1);
  // Nobody waits for it: when it fails, so does the next write, and somebody is told.
  write(db, engine, [], true);
}

/** Does one read. */
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
    // SQLite rolls back by itself on some faults of the disk; then there is nothing left to undo.
    if (sqliteCode(error) !== SQLITE_ERROR) throw error;
  }
}

/** An error of SQLite or of ours, as the caller gets it. */
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
        hint: "free some space or raise the limit; nothing that was acknowledged is lost",
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
      return { code: "store-data", message: `the store can't keep this: ${message}` };
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
