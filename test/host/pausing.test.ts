import { afterEach, beforeEach, expect, it } from "vitest";
import { openPausing, type Pausing } from "../../src/host/answering/pausing.ts";
import { openLog } from "../../src/runtime/log.ts";
import type { Store } from "../../src/runtime/store/store.ts";
import { handClock } from "../support/hand-clock.ts";
import type { Place } from "../runtime/store/contract.ts";
import { folderPlace } from "../runtime/store/place.ts";

let place: Place;
let store: Store;
/** Resolves once the test lets reads of the pauses return. */
let mayReturn: Promise<void> = Promise.resolve();
let pausing: Pausing;
beforeEach(async () => {
  place = await folderPlace();
  store = await place.open();
  mayReturn = Promise.resolve();
  pausing = await openPausing({
    store: {
      setPause: (...args) => store.setPause(...args),
      async pauses() {
        const pauses = await store.pauses();
        await mayReturn;
        return pauses;
      },
    },
    clock: handClock(1_000),
    log: openLog({ level: "silent" }),
    events: { publish: () => {} },
  });
});
afterEach(async () => {
  await store.close();
  await place.remove();
});

it.each([
  { what: "a look at the pauses of other processes", begin: () => pausing.refresh() },
  { what: "the end of another pause", begin: () => pausing.resume("200") },
])("a pause applies at once, and stays, if $what is under way", async ({ begin }) => {
  let letReturn = (): void => {};
  mayReturn = new Promise((resolve) => (letReturn = resolve));
  const begun = begin();
  // The read of the pauses has ended in the store, but has not returned yet.
  await store.pauses();
  const paused = pausing.pause("100");
  expect(pausing.isPaused("100")).toBe(true);
  letReturn();
  await begun;
  expect(pausing.isPaused("100")).toBe(true);
  expect(await paused).toBe(true);

  expect(pausing.isPaused("100")).toBe(true);
  expect(pausing.list()).toEqual([{ account: "100", since: 1_000 }]);
});

it("a pause that can't be stored does not apply", async () => {
  await store.close();

  await expect(pausing.pause("100")).rejects.toThrow("closed");
  expect([pausing.isPaused("100"), pausing.list()]).toEqual([false, []]);
  store = await place.open();
});
