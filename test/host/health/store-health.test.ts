import { expect, it } from "vitest";
import { readiness } from "../../../src/runtime/readiness.ts";
import { storeHealth } from "../../../src/host/health/store-health.ts";

/** Creates a store health whose probe writes to `disk`. */
function failing(disk: { full: boolean; writes: number }) {
  const ready = readiness();
  const health = storeHealth({
    readiness: ready.part("store", "opening"),
    probe: async () => {
      disk.writes += 1;
      if (disk.full) throw new Error("disk full");
    },
    ask: async () => {},
  });
  return { ready, health };
}

it("names the fault of the latest write until a write succeeds", () => {
  const { ready, health } = failing({ full: true, writes: 0 });
  expect(ready.missing()).toEqual([]);

  health.failed(new Error("disk full"));
  expect(ready.missing()).toEqual([
    { part: "store", reason: "the store takes no writes: disk full" },
  ]);
  health.succeeded();
  expect(ready.missing()).toEqual([]);
});

it("tries one write for all requests while the store fails, and none while it works", async () => {
  const disk = { full: true, writes: 0 };
  const { ready, health } = failing(disk);
  await health.recheck();
  expect(disk.writes).toBe(0);

  health.failed(new Error("disk full"));
  await Promise.all([health.recheck(), health.recheck()]);
  expect(disk.writes).toBe(1);
  expect(ready.missing()).toHaveLength(1);

  disk.full = false;
  await health.recheck();
  expect(disk.writes).toBe(2);
  expect(ready.missing()).toEqual([]);
});

it("is missing while the store hangs, queries it once meanwhile, and is back when it answers", async () => {
  const ready = readiness();
  const answers: (() => void)[] = [];
  const health = storeHealth({
    readiness: ready.part("store", "opening"),
    probe: async () => {},
    ask: () => new Promise<void>((resolve) => answers.push(resolve)),
    withinMs: 5,
  });

  await Promise.all([health.recheck(), health.recheck()]);
  await health.recheck();
  expect(answers).toHaveLength(1);
  expect(ready.missing()).toEqual([
    { part: "store", reason: "the store has answered nothing for 5 ms" },
  ]);

  answers[0]?.();
  await health.recheck();
  expect(ready.missing()).toEqual([]);
});

it("is missing while the store does not answer at all, until it does", async () => {
  const ready = readiness();
  let isThere = false;
  const health = storeHealth({
    readiness: ready.part("store", "opening"),
    probe: async () => {},
    ask: async () => {
      if (!isThere) throw new Error("it can't be reached");
    },
  });

  await health.recheck();
  expect(ready.missing()).toEqual([
    { part: "store", reason: "the store does not answer: it can't be reached" },
  ]);
  isThere = true;
  await health.recheck();
  expect(ready.missing()).toEqual([]);
});

it("still names the fault of a write while the probe hangs", async () => {
  const ready = readiness();
  const health = storeHealth({
    readiness: ready.part("store", "opening"),
    probe: () => new Promise(() => {}),
    ask: async () => {},
    withinMs: 5,
  });

  health.failed(new Error("disk full"));
  await health.recheck();
  expect(ready.missing()).toEqual([
    { part: "store", reason: "the store takes no writes: disk full" },
  ]);
});
