import { expect, it } from "vitest";
import { openLog } from "../../../src/runtime/log.ts";
import { retryingWrites } from "../../../src/runtime/loop/retrying-store.ts";
import { StoreError } from "../../../src/runtime/store/errors.ts";
import { entry, takenIn } from "../store/builders.ts";
import { folderPlace } from "../store/place.ts";

const FULL = new StoreError("store-full", "no room");

/** Retrying writes on a store whose disk refuses the first `refusals` commits. */
async function onFullDisk(refusals: number) {
  const place = await folderPlace();
  const store = await place.open();
  await store.append([entry()]);
  const leases = await store.lease("me", 60_000);
  const [open] = await store.fetch(leases, 0, 9);
  if (open === undefined) throw new Error("nothing to decide");
  const ending = new AbortController();
  const lines: string[] = [];
  let tries = 0;
  const writes = retryingWrites(
    {
      changeItems: (...args) => store.changeItems(...args),
      commit: async (...args) => {
        tries += 1;
        if (tries <= refusals) throw FULL;
        return store.commit(...args);
      },
    },
    {
      log: openLog({ level: "info", destination: { write: (line) => lines.push(line) } }),
      signal: ending.signal,
      firstDelayMs: 1,
    },
  );
  return {
    commit: () => writes.commit("me", [takenIn(leases, open)]),
    left: async () => (await store.stats()).inbox,
    tries: () => tries,
    lines,
    ending,
    async close() {
      await store.close();
      await place.remove();
    },
  };
}

it("repeats a write that a full disk refused until it is kept, and tells of it twice", async () => {
  const disk = await onFullDisk(6);

  expect(await disk.commit()).toEqual(["committed"]);
  expect(await disk.left()).toBe(0);
  expect(disk.tries()).toBe(7);
  expect(disk.lines).toHaveLength(2);
  expect(disk.lines[0]).toContain("the store keeps nothing");
  expect(disk.lines[1]).toContain("again");
  await disk.close();
});

it("gives a write up when the runtime ends", async () => {
  const disk = await onFullDisk(Infinity);
  const writing = disk.commit().catch((error: unknown) => error);
  disk.ending.abort();

  expect(await writing).toBe(FULL);
  expect(await disk.left()).toBe(1);
  await disk.close();
});
