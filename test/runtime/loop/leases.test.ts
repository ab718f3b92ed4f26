import { expect, it } from "vitest";
import { openLog } from "../../../src/runtime/log.ts";
import { holdLeases, type LeaseNeeds } from "../../../src/runtime/loop/leases.ts";
import type { Lease } from "../../../src/runtime/store/lease.ts";
import { when } from "../../support/when.ts";

/** Starts to hold leases, on a store that grants the leases `held()` at each renewal. */
async function holding(
  held: () => readonly (Omit<Lease, "until"> & Partial<Lease>)[],
  over: Pick<LeaseNeeds, "ttlMs" | "wall"> = {},
) {
  return holdLeases({
    store: {
      lease: async () => held().map((lease) => ({ until: Infinity, ...lease })),
      release: async () => {},
    },
    worker: "me",
    log: openLog({ level: "silent" }),
    ttlMs: 3,
    againMs: 1,
    ...over,
  });
}

it("reports new partitions again after the listener has failed, until it succeeds", async () => {
  const leases = await holding(() => [{ partition: 1, epoch: 1 }]);
  const takenPartitions: number[][] = [];
  leases.onTaken(async (newLeases) => {
    takenPartitions.push(newLeases.map(({ partition }) => partition));
    if (takenPartitions.length < 3) throw new Error("the disk failed");
  });

  await when(() => (takenPartitions.length === 3 ? true : undefined));
  await leases.stop();

  expect(takenPartitions).toEqual([[1], [1], [1]]);
});

it("does not report partitions again that were lost meanwhile", async () => {
  let epoch = 1;
  const leases = await holding(() => [
    { partition: 1, epoch: 1 },
    { partition: 2, epoch },
  ]);
  const takenLeases: string[][] = [];
  leases.onTaken(async (newLeases) => {
    takenLeases.push(newLeases.map((lease) => `${lease.partition}@${lease.epoch}`));
    if (!takenLeases.flat().includes("2@2")) throw new Error("the disk failed");
  });
  await when(() => (takenLeases.length >= 2 ? true : undefined));
  epoch = 2;
  await when(() => (takenLeases.some((one) => one.join() === "2@2") ? true : undefined));
  const rest = await when(() => takenLeases.find((one) => one.length === 1 && one[0] !== "2@2"));
  await leases.stop();

  expect(rest).toEqual(["1@1"]);
});

it("reports a partition that is renewed after the process stood still until its lease had expired", async () => {
  let until = -Infinity;
  const leases = await holding(() => [{ partition: 1, epoch: 1, until }]);
  const takenPartitions: number[] = [];
  leases.onTaken(
    (newLeases) => void takenPartitions.push(...newLeases.map(({ partition }) => partition)),
  );
  until = Infinity;
  await when(() => (leases.held().length === 1 ? true : undefined));
  await leases.stop();

  expect(takenPartitions).toEqual([1]);
});

it("lets leases expire while the machine is suspended, although its monotonic clock stands still", async () => {
  let suspendedMs = 0;
  const until = performance.now() + 60_000;
  const leases = await holding(() => [{ partition: 1, epoch: 1, until }], {
    ttlMs: 60_000,
    wall: () => Date.now() + suspendedMs,
  });
  const before = leases.held().length;
  suspendedMs = 50_000;
  const [remaining] = leases.held();
  suspendedMs = 61_000;
  const after = leases.held();
  await leases.stop();

  expect(before).toBe(1);
  expect(remaining?.until).toBeLessThan(performance.now() + 11_000);
  expect(after).toEqual([]);
});

it("waits for the renewal of expired leases, but not if this process has none", async () => {
  let until = -Infinity;
  const leases = await holding(() => [{ partition: 1, epoch: 1, until }], { ttlMs: 600_000 });
  const valid = leases.whenValid();
  const none = await (await holding(() => [])).whenValid();
  until = Infinity;

  expect(none).toEqual([]);
  expect(await valid).toMatchObject([{ partition: 1, epoch: 1 }]);
  await leases.stop();
});

it("waits for the renewal of leases no longer than until it is stopped", async () => {
  const leases = await holding(() => [{ partition: 1, epoch: 1, until: -Infinity }]);
  const valid = leases.whenValid();
  await leases.stop();

  expect(await valid).toEqual([]);
});
