import { toError } from "./sqlite/thread-port.ts";
import type { Store } from "./store.ts";
import { type Database, IN_MEMORY } from "./sqlite/binding.ts";
import { type CallName, type CallParams, type CallResults, WRITES } from "./sqlite/calls.ts";
import { type Engine, openEngine } from "./sqlite/engine.ts";
import { openFile } from "./sqlite/file/open-file.ts";
import { read, write } from "./sqlite/group.ts";
import { type StoreCaller, SqliteStore } from "./sqlite/sqlite-store.ts";

/**
 * Opens a store in memory: the SQLite engine without a file, in this thread. Closing the store discards it.
 *
 * The store serves trial runs of YAML rules. It behaves like a store on disk.
 */
export function openMemoryStore(): Store {
  const place = { path: IN_MEMORY, maxBytes: undefined };
  const file = openFile(place);
  return new SqliteStore(callerOf(file.db, openEngine(file, place)));
}

function callerOf(db: Database, engine: Engine): StoreCaller {
  const { partitions, id } = engine;
  return {
    ready: { partitions, id, migrated: undefined },
    call: async <O extends CallName>(name: O, ...args: CallParams[O]): Promise<CallResults[O]> => {
      const call = { id: 0, name, args };
      const [outcome] = WRITES.has(name) ? write(db, engine, [call]) : [read(engine, call)];
      if (outcome === undefined) throw new Error(`${name} returned nothing`);
      if ("fault" in outcome) throw toError(outcome.fault);
      return outcome.value as CallResults[O];
    },
    close: async () => db.close(),
  };
}
