import { afterEach, beforeEach } from "vitest";
import type { Lease } from "../../../src/runtime/store/lease.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import type { Place } from "./contract.ts";

/** Worker that holds the leases of {@link storeOfEach}. */
export const WORKER = "worker";

/** Store that is new for each test, with the leases of all its partitions. */
export interface StoreOfEach {
  readonly store: Store;
  readonly leases: readonly Lease[];
  /** Closes the store and reopens it in the same place. */
  readonly reopen: () => Promise<void>;
}

/** Provides a new store for each test of the `describe` block that calls this function. */
export function storeOfEach(makePlace: () => Promise<Place>): StoreOfEach {
  let place: Place;
  let store: Store;
  let leases: readonly Lease[];
  const open = async (): Promise<void> => {
    store = await place.open();
    leases = await store.lease(WORKER, 15_000);
  };
  beforeEach(async () => {
    place = await makePlace();
    await open();
  });
  afterEach(async () => {
    await store.close();
    await place.remove();
  });
  return {
    get store() {
      return store;
    },
    get leases() {
      return leases;
    },
    async reopen() {
      await store.close();
      await open();
    },
  };
}
