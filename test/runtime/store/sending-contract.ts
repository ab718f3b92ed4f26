import { describe, expect, it, test } from "vitest";
import type { Item, NewItem } from "../../../src/runtime/store/item.ts";
import type { Transition } from "../../../src/runtime/store/transition.ts";
import { entriesOf, entry, item, moved, run, takenIn } from "./builders.ts";
import type { Place } from "./contract.ts";
import { storeOfEach, WORKER } from "./store-of-each.ts";

const NOW = 10_000;
const LANE = "100/200";
const KEY = item().key;

/** Tests for every store engine: a transition that queues an item may store the item as `sending` at once. */
export function describeSending(name: string, place: () => Promise<Place>): void {
  describe(`an item that is sent with its transition, in ${name}`, () => {
    const here = storeOfEach(place);
    let last = 0;

    /** Appends an event, and returns the transition that processes it and queues `items`. */
    const transition = async (
      items: readonly Partial<NewItem>[] = [{}],
      over: Partial<Transition> = {},
    ): Promise<Transition> => {
      const key = `dm:${++last}`;
      await here.store.append([entry({ key, lane: LANE })]);
      const inputs = await here.store.fetch(here.leases, NOW, 100);
      const input = inputs.find((one) => entriesOf([one])[0]?.key === key);
      if (input === undefined) throw new Error("there is no event");
      const queued = items.map((one) => item({ lane: LANE, ...one }));
      const { key: sends = KEY } = queued[0] ?? {};
      return takenIn(here.leases, input, { at: NOW, items: queued, sends, ...over });
    };
    const commit = async (...transitions: readonly Transition[]) =>
      here.store.commit(WORKER, transitions);
    const stored = async (key = KEY): Promise<Item> => {
      const match = (await here.store.items({ limit: 9 })).find((one) => one.key === key);
      if (match === undefined) throw new Error("there is no such item");
      return match;
    };
    const due = async (now = NOW): Promise<string[]> =>
      (await here.store.dueItems(here.leases, now, 9)).map(({ key }) => key);

    it("is `sending`, and the result names it, also after a restart", async () => {
      const [result] = await commit(await transition());
      const before = await stored();
      await here.reopen();

      expect(result).toEqual({ sending: before.id });
      expect(await stored()).toEqual(before);
      expect(before).toMatchObject({ status: "sending", attempts: 1, startedAt: NOW });
      expect(await due()).toEqual([]);
      const sending = await here.store.openItems(here.leases, {
        status: "sending",
        after: 0,
        limit: 9,
      });
      expect(sending).toEqual([before]);
      expect((await here.store.stats()).items).toMatchObject({ sending: 1, pending: 0 });
    });

    it("is settled like any other item, and lets the next item of its lane go", async () => {
      await commit(await transition([{}, { key: "second" }]));
      const dueBefore = await due();
      await here.store.changeItems(WORKER, [
        moved(here.leases, await stored(), "sent", { platformId: "9" }),
      ]);

      expect(dueBefore).toEqual([]);
      expect(await stored()).toMatchObject({ status: "sent", attempts: 1, platformId: "9" });
      expect(await due()).toEqual(["second"]);
      expect((await here.store.stats()).items).toMatchObject({ sending: 0, pending: 1, sent: 1 });
    });

    it("may become pending again, and is then due", async () => {
      await commit(await transition());
      await here.store.changeItems(WORKER, [
        moved(here.leases, await stored(), "pending", { notBefore: NOW }),
      ]);

      expect(await due()).toEqual([KEY]);
    });

    it("is the only one of its transition", async () => {
      const [result] = await commit(await transition([{ key: "first" }, {}], { sends: "first" }));

      expect(result).toEqual({ sending: (await stored("first")).id });
      expect(await stored()).toMatchObject({ status: "pending", attempts: 0 });
    });

    it("is pending behind another item of the same transition", async () => {
      expect(await commit(await transition([{ key: "first" }, {}], { sends: KEY }))).toEqual([
        "committed",
      ]);
      expect(await stored()).toMatchObject({ status: "pending", attempts: 0 });
      expect(await due()).toEqual(["first"]);
    });

    it("is pending behind an item that the same call has queued", async () => {
      const first = await transition([{ key: "first" }], { sends: "first" });
      const results = await commit(first, await transition());

      expect(results).toEqual([{ sending: (await stored("first")).id }, "committed"]);
      expect(await stored()).toMatchObject({ status: "pending" });
    });

    test.each(["pending", "sending", "unknown"] as const)(
      "is pending behind an item of its lane that is %s",
      async (status) => {
        await commit(await transition([{ key: "first" }], { sends: "none" }));
        if (status !== "pending") {
          await here.store.changeItems(WORKER, [
            moved(here.leases, await stored("first"), "sending"),
          ]);
        }
        if (status === "unknown") {
          await here.store.changeItems(WORKER, [
            moved(here.leases, await stored("first"), "unknown", { notBefore: NOW * 2 }),
          ]);
        }

        expect(await commit(await transition())).toEqual(["committed"]);
        expect(await stored()).toMatchObject({ status: "pending", attempts: 0 });
      },
    );

    it("is pending behind an item that is queued again in the same moment", async () => {
      await commit(await transition([{ key: "first" }], { sends: "none" }));
      await here.store.changeItems(WORKER, [moved(here.leases, await stored("first"), "failed")]);
      const again = moved(here.leases, await stored("first"), "pending");
      const next = await transition();
      const [, results] = await Promise.all([
        here.store.changeItems(WORKER, [again]),
        commit(next),
      ]);

      expect(results).toEqual(["committed"]);
      expect(await due()).toEqual(["first"]);
    });

    it("goes past held items, settled items and other lanes", async () => {
      await commit(
        await transition(
          [
            { key: "held", holdReason: "names others" },
            { key: "settled" },
            { key: "other", lane: "100/300" },
          ],
          { sends: "none" },
        ),
      );
      await here.store.changeItems(WORKER, [moved(here.leases, await stored("settled"), "failed")]);

      expect(await commit(await transition())).toEqual([{ sending: (await stored()).id }]);
    });

    test.each([
      { why: "it is held", over: { holdReason: "names others" }, status: "held" },
      { why: "it is not due yet", over: { notBefore: NOW + 1 }, status: "pending" },
      { why: "its time has passed", over: { expiresAt: NOW }, status: "pending" },
    ])("is $status if $why", async ({ over, status }) => {
      expect(await commit(await transition([over]))).toEqual(["committed"]);
      expect(await stored()).toMatchObject({ status, attempts: 0 });
    });

    it("is held above an answer limit", async () => {
      const limits = [{ of: "answers", max: 1, inMs: 100, reason: "too many" }] as const;
      const counted = { at: 1, limits };
      const first = await transition([{ key: "first", counted }]);
      await commit(first);
      await here.store.changeItems(WORKER, [moved(here.leases, await stored("first"), "sent")]);

      expect(await commit(await transition([{ counted }]))).toEqual(["committed"]);
      expect(await stored()).toMatchObject({ status: "held", reason: "too many" });
    });

    it("fails if user state forbids it", async () => {
      await commit(await transition([], { state: [{ key: "opted-out", value: "1", version: 0 }] }));
      const unless = { key: "opted-out", reason: "wants no messages" };

      expect(await commit(await transition([{ unless }]))).toEqual(["committed"]);
      expect(await stored()).toMatchObject({ status: "failed", attempts: 0 });
    });

    it("is queued once: a second item with its key changes nothing", async () => {
      const [first] = await commit(await transition());

      expect(await commit(await transition())).toEqual(["committed"]);
      expect(await stored()).toMatchObject({ attempts: 1 });
      expect(first).toEqual({ sending: (await stored()).id });
    });

    test.each(["100", undefined])("is pending while %s is paused", async (account) => {
      const paused = await transition();
      await here.store.setPause({ ...(account !== undefined && { account }), since: 5 });

      expect(await commit(paused)).toEqual(["committed"]);
      expect(await stored()).toMatchObject({ status: "pending" });
    });

    it("is not stored if its transition is not", async () => {
      const decided = await transition();
      const fenced = { ...decided, epoch: 99 };
      const stale = { ...decided, runs: [run(1, { version: 7 })] };

      expect(await commit(fenced, stale)).toEqual(["fenced", "stale"]);
      expect(await here.store.items({ limit: 9 })).toEqual([]);
      expect(await commit(decided, decided)).toEqual([
        { sending: (await stored()).id },
        "already-done",
      ]);
    });
  });
}
