import { StoreError } from "../errors.ts";
import { type Database, sqliteCode } from "./binding.ts";
import type { Answer, Call, Fault, Op } from "./calls.ts";
import type { Engine } from "./engine.ts";

/**
 * Does every waiting write in one transaction, with one device sync for all.
 *
 * One call that can't be done must not take the others with it: then each gets a transaction of its
 * own. A fault of the disk is everybody's, and nothing of the group is kept.
 */
export function write(db: Database, engine: Engine, calls: readonly Call[]): Answer[] {
  try {
    db.exec("BEGIN IMMEDIATE");
    const answers = calls.map((call) => answer(engine, call));
    engine.counters.flush();
    db.exec("COMMIT");
    engine.counters.keep();
    return answers;
  } catch (error) {
    rollBack(db);
    engine.counters.undo();
    const fault = faultOf(error);
    if (calls.length > 1 && fault.code === "E_STORE_DATA") {
      return calls.flatMap((call) => write(db, engine, [call]));
    }
    return calls.map(({ id }) => ({ id, fault }));
  }
}

/** Does one read. */
export function read(engine: Engine, call: Call): Answer {
  try {
    return answer(engine, call);
  } catch (error) {
    return { id: call.id, fault: faultOf(error) };
  }
}

function answer<O extends Op>({ operations }: Engine, call: Call<O>): Answer {
  return { id: call.id, value: operations[call.op](...call.args) };
}

function rollBack(db: Database): void {
  try {
    db.exec("ROLLBACK");
  } catch (error) {
    // SQLite rolls back by itself on some faults of the disk; then there is nothing left to undo.
    if (sqliteCode(error) !== SQLITE_ERROR) throw error;
  }
}

/** What a caller is told of an error of SQLite or of ours. */
export function faultOf(error: unknown): Fault {
  if (error instanceof StoreError) {
    return { code: error.code, message: error.message, hint: error.hint };
  }
  const message = error instanceof Error ? error.message : String(error);
  switch (sqliteCode(error)) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {
        code: "E_STORE_LOCKED",
        message: "another runtime holds this store",
        hint: "Stop it first, or ask it: `why`, `outbox` and `pause` talk to the running one.",
      };
    case SQLITE_FULL:
      return {
        code: "E_STORE_FULL",
        message: "the store has no room: the disk is full, or the store's size limit is reached",
        hint: "Free some space or raise the limit. Nothing that was acknowledged is lost.",
      };
    case undefined:
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
      return { code: "E_STORE_DATA", message: `the store can't keep this: ${message}` };
    default:
      return { code: "E_STORE_IO", message: `the store's disk failed: ${message}` };
  }
}

const SQLITE_ERROR = 1;
const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_FULL = 13;
const SQLITE_CONSTRAINT = 19;
const SQLITE_MISMATCH = 20;
