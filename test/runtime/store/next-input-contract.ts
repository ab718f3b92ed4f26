import { describe, expect, it, test } from "vitest";
import type { NewEntry } from "../../../src/runtime/store/entry.ts";
import type { Transition } from "../../../src/runtime/store/transition.ts";
import { entry, item, moved, run, takenIn } from "./builders.ts";
import type { Place } from "./contract.ts";
import { storeOfEach, WORKER } from "./store-of-each.ts";

const NOW = 10_000;
const LANE = "100/200";

/** Tests for store engines that report (`nextIn`) whether a new journal entry can be processed without a fetch. */
export function describeNextInputs(name: string, place: () => Promise<Place>): void {
  describe(`an entry that is the next input of its lane, in ${name}`, () => {
    const here = storeOfEach(place);

    const append = async (over: Partial<NewEntry> = {}) => {
      const [result] = await here.store.append([entry({ key: "dm:new", lane: LANE, ...over })]);
      return result?.nextIn !== undefined;
    };
    const decide = async (
      over: (seq: number) => Partial<Transition>,
      { lane = LANE, key = "dm:1" }: Partial<NewEntry> = {},
    ): Promise<void> => {
      await here.store.append([entry({ key, lane })]);
      const [input] = await here.store.fetch(here.leases, NOW, 1);
      if (input?.kind !== "event") throw new Error("there is no event");
      await here.store.commit(WORKER, [takenIn(here.leases, input, over(input.entry.seq))]);
    };
    const silence = (scope: string) => (seq: number) => ({
      escalations: [
        {
          key: "human",
          run: `${seq}/rule:human`,
          seq,
          account: "100",
          lane: LANE,
          queue: "support",
          priority: "normal" as const,
          at: NOW,
          silences: { scope, untilResolved: true },
        },
      ],
    });

    it("is reported with its partition, and is what a fetch returns", async () => {
      const [result] = await here.store.append([entry({ lane: LANE })]);
      const [input] = await here.store.fetch(here.leases, NOW, 9);
      const { seq = 0, nextIn = -1 } = result ?? {};

      expect(input).toEqual({
        input: `inbox/${seq}`,
        kind: "event",
        lane: LANE,
        partition: nextIn,
        attempts: 0,
        entry: { ...entry({ lane: LANE }), seq, partition: nextIn },
        listeners: [],
      });
    });

    it("is reported again once the lane is empty, also after a restart", async () => {
      await decide(() => ({}));
      expect(await append()).toBe(true);
      await here.reopen();
      await here.store.fetch(here.leases, NOW, 9);

      expect(await append({ key: "dm:2" })).toBe(false);
      expect(await append({ key: "dm:3", lane: "100/300" })).toBe(true);
    });

    it("is the first of several that come at once, and no duplicate", async () => {
      const one = entry({ key: "dm:1", lane: LANE });
      const results = await here.store.append([
        one,
        entry({ key: "dm:2", lane: LANE }),
        entry({ key: "dm:3", lane: "100/300" }),
        one,
      ]);

      expect(results.map(({ nextIn }) => nextIn !== undefined)).toEqual([true, false, true, false]);
    });

    it("is none behind one that waits for a retry", async () => {
      await decide(() => ({ outcome: "retry", retryAt: NOW * 9 }));

      expect(await append()).toBe(false);
    });

    it("is none behind an item that was settled", async () => {
      await decide((seq) => ({
        items: [item({ seq, lane: LANE })],
        runs: [run(seq, { lane: LANE, status: "waiting", waitsFor: item().key })],
      }));
      const [queued] = await here.store.items({ limit: 1 });
      if (queued === undefined) throw new Error("there is no item");
      expect(await append({ key: "dm:2" })).toBe(true);
      await decide(() => ({}), { key: "dm:2" });
      await here.store.changeItems(WORKER, [moved(here.leases, queued, "sent")]);

      expect(await append({ key: "dm:3" })).toBe(false);
    });

    test.each([
      { why: "the account is paused", pause: "100", next: false },
      { why: "all accounts are paused", pause: "", next: false },
      { why: "another account is paused", pause: "101", next: true },
    ])("is reported: $next, when $why", async ({ pause, next }) => {
      await here.store.setPause({ since: NOW, ...(pause !== "" && { account: pause }) });

      expect(await append()).toBe(next);
    });

    test.each([
      { why: "a run of the lane listens", lane: LANE, next: false },
      { why: "a run of another lane listens", lane: "100/300", next: true },
    ])("is reported: $next, when $why", async ({ lane, next }) => {
      await decide((seq) => ({ runs: [run(seq, { lane, status: "waiting", listens: true })] }), {
        lane,
      });

      expect(await append()).toBe(next);
    });

    test.each([
      { why: "the lane is silent", scope: LANE, next: false },
      { why: "the account is silent", scope: "100", next: false },
      { why: "another lane is silent", scope: "100/300", next: true },
    ])("is reported: $next, when $why", async ({ scope, next }) => {
      await decide(silence(scope));

      expect(await append()).toBe(next);
    });
  });
}
