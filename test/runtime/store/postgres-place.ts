import { openStore, type StoreOptions } from "../../../src/runtime/store/open.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import { testDatabase } from "../../postgres/databases.ts";

/**
 * Creates a PostgreSQL database for the store of one test.
 *
 * @param place `fresh`: the database has no tables at first, for tests of their creation. This takes ten times as long.
 */
export async function postgresPlace({
  fresh = false,
  ...options
}: PostgresPlaceOptions = {}): Promise<{
  readonly url: string;
  open(more?: StoreOptions): Promise<Store>;
  remove(): Promise<void>;
}> {
  const database = await testDatabase({ fresh });
  return {
    url: database.url,
    async open(more = {}) {
      const store = await openStore(database.url, { ...options, ...more });
      await database.asNew();
      return store;
    },
    remove: () => database.giveBack(),
  };
}

interface PostgresPlaceOptions extends StoreOptions {
  readonly fresh?: boolean;
}
