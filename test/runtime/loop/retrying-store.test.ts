import { expect, it } from "vitest";
import { openLog } from "../../../src/runtime/log.ts";
import { retryingWrites } from "../../../src/runtime/loop/retrying-store.ts";
import { StoreError } from "../../../src/runtime/store/errors.ts";
import { entry, item, moved, run, takenIn } from "../store/builders.ts";
import { folderPlace } from "../store/place.ts";

const FULL = new StoreError("store-full", "no room");

const BROKEN = new StoreError("store-io", "the disk failed");

/** Creates a store with one queued outbox item. Its disk fails after it has stored the first write. */
async function onBrokenDisk() {
  const place = await folderPlace();
  const store = await place.open();
  await store.append([entry()]);
  const leases = await store.lease("me", 60_000);
  const [open] = await store.fetch(leases, 0, 9);
  if (open === undefined) throw new Error("nothing to decide");
  let failures = 1;
  const failing = async <T>(write: Promise<T>): Promise<T> => {
    const result = await write;
    if (failures-- > 0) throw BROKEN;
    return result;
  };
  const writes = retryingWrites(
    {
      items: (...args) => store.items(...args),
      runsOf: (seq) => store.runsOf(seq),
      changeItems: (...args) => failing(store.changeItems(...args)),
      commit: (...args) => failing(store.commit(...args)),
    },
    {
      log: openLog({ level: "silent" }),
      signal: new AbortController().signal,
      firstDelayMs: 1,
    },
  );
  return {
    store,
    writes,
    leases,
    open,
    end: async (): Promise<void> => {
      await store.close();
      await place.remove();
    },
  };
}

/** Creates retrying writes on a store whose disk refuses the first `refusals` commits. */
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
      items: (...args) => store.items(...args),
      runsOf: (seq) => store.runsOf(seq),
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
    openInputs: async () => (await store.stats()).inbox,
    tries: () => tries,
    lines,
    ending,
    async close() {
      await store.close();
      await place.remove();
    },
  };
}

it("repeats a write that a full disk refused until it succeeds, and reports it twice", async () => {
  const disk = await onFullDisk(6);

  expect(await disk.commit()).toEqual(["committed"]);
  expect(await disk.openInputs()).toBe(0);
  expect(disk.tries()).toBe(7);
  expect(disk.lines).toHaveLength(2);
  expect(disk.lines[0]).toContain("writes to the store fail");
  expect(disk.lines[1]).toContain("again");
  await disk.close();
});

it("stops repeating a write when the runtime ends", async () => {
  const disk = await onFullDisk(Infinity);
  const writing = disk.commit().catch((error: unknown) => error);
  disk.ending.abort();

  expect(await writing).toBe(FULL);
  expect(await disk.openInputs()).toBe(1);
  await disk.close();
});

it("recognizes its own transition that was stored although the disk failed", async () => {
  const { writes, leases, open, end } = await onBrokenDisk();

  expect(await writes.commit("me", [takenIn(leases, open)])).toEqual(["committed"]);
  await end();
});

it("recognizes the item that its own transition has stored as `sending`", async () => {
  const { store, writes, leases, open, end } = await onBrokenDisk();
  const { key } = item();
  const sends = takenIn(leases, open, { items: [item({ lane: open.lane })], sends: key });

  expect(await writes.commit("me", [sends])).toEqual([{ sending: 1 }]);
  expect(await store.items({ limit: 9 })).toMatchObject([{ id: 1, status: "sending" }]);
  await end();
});

it("reports no item as `sending` that its own transition has stored as pending", async () => {
  const { writes, leases, open, end } = await onBrokenDisk();
  const later = [item({ lane: open.lane, notBefore: 9_999 })];
  const sends = takenIn(leases, open, { items: later, sends: item().key });

  expect(await writes.commit("me", [sends])).toEqual(["committed"]);
  await end();
});

it("recognizes its own change of an item that was stored although the disk failed", async () => {
  const { store, writes, leases, open, end } = await onBrokenDisk();
  await store.commit("me", [takenIn(leases, open, { items: [item()] })]);
  const [queued] = await store.items({ limit: 1 });
  if (queued === undefined) throw new Error("nothing queued");

  expect(await writes.changeItems("me", [moved(leases, queued, "sending")])).toEqual(["committed"]);
  await end();
});

it.each([
  { version: 1, result: "ended", why: "the write ended its run" },
  { version: 2, result: "committed", why: "the run had changed" },
] as const)("reports $result for such a change if $why", async ({ version, result }) => {
  const { store, writes, leases, open, end } = await onBrokenDisk();
  const waiting = run(1, { status: "waiting", waitsFor: item().key });
  await store.commit("me", [takenIn(leases, open, { items: [item()], runs: [waiting] })]);
  const [queued] = await store.items({ limit: 1 });
  if (queued === undefined) throw new Error("nothing queued");
  const ends = { run: run(1, { version }), cancelled: [] };

  expect(await writes.changeItems("me", [moved(leases, queued, "sent", { ends })])).toEqual([
    result,
  ]);
  await end();
});

it("does not mistake another process's change of an item for its own", async () => {
  const { store, writes, leases, open, end } = await onBrokenDisk();
  await store.commit("me", [takenIn(leases, open, { items: [item()] })]);
  const [queued] = await store.items({ limit: 1 });
  if (queued === undefined) throw new Error("nothing queued");
  await store.changeItems("me", [moved(leases, queued, "sending", { at: 4_000 })]);

  expect(await writes.changeItems("me", [moved(leases, queued, "sending")])).toEqual([
    "already-done",
  ]);
  await end();
});
