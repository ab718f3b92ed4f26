import { StoreError } from "../../../src/runtime/store/errors.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import type { Place } from "../../runtime/store/contract.ts";
import { modelStore } from "./model-store.ts";
import { ModelTables } from "./model-tables.ts";

/** A disk without delays or faults. */
function open(tables: ModelTables): Store {
  let closed = false;
  const store = modelStore(tables, async (call) => {
    if (closed) throw new StoreError("store-closed", "the store is closed");
    return call.act();
  });
  return { ...store, close: async () => void (closed = true) };
}

/** A place in memory, whose data survives like data on a disk. */
export async function modelPlace(): Promise<Place> {
  const tables = new ModelTables(16, () => performance.now());
  return {
    open: async () => {
      tables.leases.releaseAll();
      return open(tables);
    },
    remove: async () => {},
  };
}
