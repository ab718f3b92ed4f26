import { toError } from "./sqlite/thread-port.ts";
import type { Store } from "./store.ts";
import { type Database, IN_MEMORY } from "./sqlite/binding.ts";
import { type CallName, type CallParams, type CallResults, WRITES } from "./sqlite/calls.ts";
import { type Engine, openEngine } from "./sqlite/engine.ts";
import { openFile } from "./sqlite/file/open-file.ts";
import { read, write } from "./sqlite/group.ts";
import { type StoreCaller, SqliteStore } from "./sqlite/sqlite-store.ts";

/**
 * A store that is gone when it is closed: the engine itself, in this thread and without a file.
 *
 * For those who try rules out. What it keeps, and what it says of it, is what the one on disk does.
 */
export function openMemoryStore(): Store {
  const place = { path: IN_MEMORY, maxBytes: undefined };
  const file = openFile(place);
  return new SqliteStore(callerOf(file.db, openEngine(file, place)));
}

function callerOf(db: Database, engine: Engine): StoreCaller {
  const { partitions, id } = engine;
  return {
    found: { partitions, id, migrated: undefined },
    call: async <O extends CallName>(name: O, ...args: CallParams[O]): Promise<CallResults[O]> => {
      const call = { id: 0, name, args };
      const [outcome] = WRITES.has(name) ? write(db, engine, [call]) : [read(engine, call)];
      if (outcome === undefined) throw new Error(`${name} gave nothing`);
      if ("fault" in outcome) throw toError(outcome.fault);
      return outcome.value as CallResults[O];
    },
    close: async () => db.close(),
  };
}
