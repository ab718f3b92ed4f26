import { expect, it } from "vitest";
import { readiness } from "../../src/runtime/readiness.ts";
import { storeHealth } from "../../src/runtime/store-health.ts";

/** A store health whose probe writes as `disk` says. */
function failing(disk: { full: boolean; writes: number }) {
  const ready = readiness();
  const health = storeHealth({
    readiness: ready.part("store", "opening"),
    probe: async () => {
      disk.writes += 1;
      if (disk.full) throw new Error("disk full");
    },
  });
  return { ready, health };
}

it("names the fault of the latest write until one is kept again", () => {
  const { ready, health } = failing({ full: true, writes: 0 });
  expect(ready.missing()).toEqual([]);

  health.failed(new Error("disk full"));
  expect(ready.missing()).toEqual([
    { part: "store", reason: "the store takes no writes: disk full" },
  ]);
  health.kept();
  expect(ready.missing()).toEqual([]);
});

it("tries a write when asked while it fails, once for all who ask, and none while it works", async () => {
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
