import { describe, expect, it, test } from "vitest";
import type { Item, ItemTransition, EndOfRun } from "../../../src/runtime/store/item.ts";
import type { RunWrite } from "../../../src/runtime/store/run.ts";
import type { Transition } from "../../../src/runtime/store/transition.ts";
import { entry, item, moved, run, takenIn } from "./builders.ts";
import type { Place } from "./contract.ts";
import { storeOfEach, WORKER } from "./store-of-each.ts";

const NOW = 10_000;
const LANE = "100/200";
const TIMER = "1/rule:faq/timeout#1";

/** Tests for every store engine: the outcome of a run's last item and the end of the run are one transaction. */
export function describeRunEnds(name: string, place: () => Promise<Place>): void {
  describe(`a run that ends with its last item, in ${name}`, () => {
    const here = storeOfEach(place);

    const waiting = (seq: number, over: Partial<RunWrite> = {}): RunWrite =>
      run(seq, { lane: LANE, status: "waiting", waitsFor: item().key, ...over });

    /** Starts a run that has a timer and waits for an item. Changes the item's status to `sending`. */
    const begin = async (
      over: (seq: number) => Partial<Transition> = (seq) => ({ runs: [waiting(seq)] }),
    ): Promise<Item> => {
      await here.store.append([entry({ lane: LANE })]);
      const [input] = await here.store.fetch(here.leases, NOW, 1);
      if (input?.kind !== "event") throw new Error("there is no event");
      const { seq } = input.entry;
      const timers = [{ id: TIMER, run: waiting(seq).id, lane: LANE, dueAt: NOW + 1_000 }];
      const items = [item({ lane: LANE, seq })];
      await here.store.commit(WORKER, [
        takenIn(here.leases, input, { timers, items, ...over(seq) }),
      ]);
      await move("sending");
      return only();
    };
    const only = async (): Promise<Item> => {
      const [match] = await here.store.items({ limit: 1 });
      if (match === undefined) throw new Error("there is no item");
      return match;
    };
    const move = async (to: Item["status"], over: Partial<ItemTransition> = {}) => {
      const [result] = await here.store.changeItems(WORKER, [
        moved(here.leases, await only(), to, over),
      ]);
      return result;
    };
    const end = (over: Partial<RunWrite> = {}): EndOfRun => ({
      run: run(1, { lane: LANE, status: "done", body: '{"end":1}', version: 1, ...over }),
      cancelled: [TIMER],
    });
    const inputs = async () =>
      (await here.store.fetch(here.leases, NOW + 5_000, 10)).map(({ kind }) => kind);
    const storedRun = async () => (await here.store.journal({ limit: 1, seq: 1 }))[0]?.runs[0];

    it("is over, leaves no input and no timer, also after a restart", async () => {
      await begin();
      expect(await move("sent", { platformId: "9", ends: end() })).toBe("ended");
      await here.reopen();

      expect(await inputs()).toEqual([]);
      expect(await storedRun()).toMatchObject({ status: "done", body: '{"end":1}' });
      expect(await only()).toMatchObject({ status: "sent", platformId: "9" });
      expect(await here.store.stats()).toMatchObject({ inbox: 0, runs: { waiting: 0 } });
    });

    it("is over only once: the next change in its version is processed already", async () => {
      const { partition } = await begin();
      await move("sent", { ends: end() });
      const input = { kind: "effect", run: "1/rule:faq", version: 1 } as const;
      const [{ epoch } = { epoch: 0 }] = here.leases;
      const change = { lane: LANE, partition, epoch, at: NOW, outcome: "done" } as const;
      const nothing = { runs: [], timers: [], sources: [], state: [], items: [] };

      expect(await here.store.commit(WORKER, [{ input, ...change, ...nothing }])).toEqual([
        "already-done",
      ]);
    });

    test.each([
      { why: "has changed since", stored: {}, ends: end({ version: 2 }) },
      { why: "holds a slot", stored: { slot: "slot/a" }, ends: end() },
      { why: "is another one", stored: {}, ends: end({ id: "1/rule:b", owner: "rule:b" }) },
      { why: "belongs to another lane", stored: {}, ends: end({ lane: "100/300" }) },
    ])("goes on from the inbox if the run to end $why", async ({ stored, ends }) => {
      await begin((seq) => ({ runs: [waiting(seq, stored)] }));

      expect(await move("sent", { ends })).toBe("committed");
      expect(await inputs()).toContain("item-settled");
      expect(await storedRun()).toMatchObject({ status: "waiting" });
    });

    it("is not touched if it waits for something else", async () => {
      await begin((seq) => ({ runs: [waiting(seq, { waitsFor: TIMER })] }));

      expect(await move("sent", { ends: end() })).toBe("committed");
      expect(await inputs()).toEqual(["timer-due"]);
    });

    it.each(["100", LANE])("goes on from the inbox while %s is silent", async (scope) => {
      const silences = { scope, untilResolved: true };
      await begin((seq) => ({
        runs: [waiting(seq)],
        escalations: [
          {
            key: "human",
            run: waiting(seq).id,
            seq,
            account: "100",
            lane: LANE,
            queue: "support",
            priority: "normal",
            at: NOW,
            silences,
          },
        ],
      }));

      expect(await move("sent", { ends: end() })).toBe("committed");
      expect(await inputs()).toContain("item-settled");
    });

    it("waits on while its item is not settled", async () => {
      await begin();

      expect(await move("pending", { notBefore: NOW * 2, ends: end() })).toBe("committed");
      expect(await storedRun()).toMatchObject({ status: "waiting" });
    });

    it("waits on, and its item is unchanged, if the worker's lease is not the present one", async () => {
      await begin();

      expect(await move("sent", { epoch: 99, ends: end() })).toBe("fenced");
      expect(await only()).toMatchObject({ status: "sending" });
      expect(await storedRun()).toMatchObject({ status: "waiting" });
    });
  });
}
