import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { expect, it } from "vitest";
import {
  STORE_WORK,
  WORK,
  type WorkCounts,
} from "../../../../src/runtime/store/sqlite/file/work-counts.ts";
import { entry } from "../builders.ts";
import { folderPlace } from "../place.ts";

/** Opens and uses a store. Returns its work counts, published on a diagnostics channel if there is a subscriber. */
async function countsOf(isSubscribed: boolean) {
  const opened: WorkCounts[] = [];
  const listener = (counts: unknown): void => {
    if (counts instanceof Int32Array) opened.push(counts);
  };
  if (isSubscribed) subscribe(STORE_WORK, listener);
  const place = await folderPlace();
  const store = await place.open();
  const before = opened[0]?.slice();
  await Promise.all([store.append([entry()]), store.stats()]);
  await store.stats();
  await store.close();
  await place.remove();
  unsubscribe(STORE_WORK, listener);
  return { opened, before };
}

it("counts trips, transactions and statements of a store for a subscriber", async () => {
  const { opened, before } = await countsOf(true);
  const [counts] = opened;
  const during = (kind: keyof typeof WORK): number =>
    (counts?.[WORK[kind]] ?? 0) - (before?.[WORK[kind]] ?? 0);

  expect(opened).toHaveLength(1);
  // Calls of one turn of the event loop travel to the store's thread in one message. The third message closes the store.
  expect(during("trips")).toBe(3);
  expect(during("transactions")).toBe(1);
  expect(during("statements")).toBeGreaterThan(during("transactions") * 4);
});

it("counts nothing without a subscriber", async () => {
  const { opened } = await countsOf(false);

  expect(opened).toEqual([]);
});
