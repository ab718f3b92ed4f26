import { describe, expect, it } from "vitest";
import { entry, takenIn } from "./builders.ts";
import type { Place } from "./contract.ts";
import { storeOfEach, WORKER } from "./store-of-each.ts";

const TTL_MS = 60_000;

/** Tests for every store engine: registered processes, the store's clock, and the backlog of each partition. */
export function describePresence(name: string, place: () => Promise<Place>): void {
  describe(`active processes, in ${name}`, () => {
    const here = storeOfEach(place);

    it("are listed by name with their last report", async () => {
      await here.store.attend("b", "first", TTL_MS);
      await here.store.attend("a", "other", TTL_MS);

      expect(await here.store.attend("b", "second", TTL_MS)).toEqual([
        { process: "a", note: "other" },
        { process: "b", note: "second" },
      ]);
    });

    it("are removed after their time", async () => {
      await here.store.attend("late", "", 1);

      await expect
        .poll(() => here.store.attend("here", "", TTL_MS))
        .toEqual([{ process: "here", note: "" }]);
    });

    it("use the time of the store's clock", async () => {
      const first = await here.store.clock();
      const second = await here.store.clock();

      expect(first).toBeGreaterThan(Date.parse("2020-01-01"));
      expect(second).toBeGreaterThanOrEqual(first);
    });
  });

  describe(`the lag of partitions, in ${name}`, () => {
    const here = storeOfEach(place);
    const lag = async () => [...(await here.store.partitionLag(here.leases))];
    const add = (key: string, lane: string, arrivedAt: number, account = "100") =>
      here.store.append([entry({ key, lane, arrivedAt, account })]);
    const inputOf = async (key: string) => {
      const inputs = await here.store.fetch(here.leases, 10_000, 100);
      const input = inputs.find((one) => one.kind === "event" && one.entry.key === key);
      if (input?.kind !== "event") throw new Error(`${key} is not in the inbox`);
      return input;
    };

    it("is the arrival of the oldest undecided entry", async () => {
      expect(await lag()).toEqual([]);
      await add("one", "100:200", 1_000);
      await add("two", "100:200", 2_000);
      const first = await inputOf("one");
      const { partition } = first.entry;
      expect(await lag()).toEqual([[partition, 1_000]]);

      await here.store.commit(WORKER, [takenIn(here.leases, first)]);
      expect(await lag()).toEqual([[partition, 2_000]]);

      await here.store.commit(WORKER, [takenIn(here.leases, await inputOf("two"))]);
      expect(await lag()).toEqual([]);
    });

    it("is returned for the requested partitions only", async () => {
      await add("one", "100:200", 1_000);
      const { partition } = (await inputOf("one")).entry;
      const others = here.leases.filter((lease) => lease.partition !== partition);

      expect([...(await here.store.partitionLag(others))]).toEqual([]);
      expect([...(await here.store.partitionLag([]))]).toEqual([]);
    });

    it("ignores entries of paused accounts", async () => {
      await add("one", "100/200", 1_000);
      await here.store.setPause({ account: "100", since: 1 });
      expect(await lag()).toEqual([]);

      await here.store.setPause({ account: "100", since: undefined });
      expect((await lag()).map(([, at]) => at)).toEqual([1_000]);
    });
  });
}
