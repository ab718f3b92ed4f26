import { describe, expect, it } from "vitest";
import { HELD_QUIET, type ItemStatus } from "../../../src/runtime/store/item.ts";
import { ANSWERED_ELSEWHERE, DOUBT, RESTORED_FROM } from "../../../src/runtime/store/restored.ts";
import type { Transition } from "../../../src/runtime/store/transition.ts";
import { entriesOf, entry, item, moved, takenIn } from "./builders.ts";
import type { Place } from "./contract.ts";
import { storeOfEach, WORKER } from "./store-of-each.ts";

const [OWN, OTHER] = ["100", "101"];
const HOLD_MS = 600;

/** Tests for every store engine: the items that another store may have sent, also for one account alone. */
export function describeRestored(name: string, place: () => Promise<Place>): void {
  describe(`a store in place of which another one answered, in ${name}`, () => {
    const here = storeOfEach(place);

    /** Stores a message of the time `at`. Returns the transition that answers it. */
    const answering = async (key: string, at: number, account = OWN): Promise<Transition> => {
      const lane = `${account}/200`;
      await here.store.append([entry({ key, at, account, lane })]);
      const inputs = await here.store.fetch(here.leases, 10_000, 99);
      const input = inputs.find((one) => entriesOf([one])[0]?.key === key);
      if (input?.kind !== "event") throw new Error("the entry is not offered");
      const { seq } = input.entry;
      const queued = item({ key: `item of ${key}`, seq, account, lane, run: `${seq}/rule:faq` });
      return takenIn(here.leases, input, { items: [queued] });
    };
    const answer = async (...message: Parameters<typeof answering>): Promise<void> => {
      const results = await here.store.commit(WORKER, [await answering(...message)]);
      expect(results).toEqual(["committed"]);
    };
    const statuses = async () =>
      Object.fromEntries(
        (await here.store.items({ limit: 99 })).map(({ key, status }) => [
          key.replace("item of ", ""),
          status,
        ]),
      );

    it("looks up its open items, and later answers to earlier events, of all accounts", async () => {
      await answer("own", 1_000);
      await answer("other", 1_000, OTHER);
      await here.store.setMeta(RESTORED_FROM, "1");

      expect(await here.store.startRestored(5_000, HOLD_MS)).toBe(2);
      expect(await here.store.startRestored(6_000, HOLD_MS)).toBe(0);
      await answer("before", 4_999, OTHER);
      await answer("after", 5_000);
      expect(await statuses()).toEqual({
        own: "unknown",
        other: "unknown",
        before: "unknown",
        after: "pending",
      });
    });

    it("looks up items that are taken up again after they were held or had failed", async () => {
      const hold = async (key: string, at: number): Promise<void> => {
        const { items, ...transition } = await answering(key, at);
        const held = items.map((one) => ({ ...one, holdReason: HELD_QUIET }));
        await here.store.commit(WORKER, [{ ...transition, items: held }]);
      };
      const change = async (key: string, to: ItemStatus): Promise<void> => {
        const items = await here.store.items({ limit: 9 });
        const changed = items
          .filter((one) => one.key === `item of ${key}`)
          .map((one) => moved(here.leases, one, to, { at: 6_000 }));
        expect(await here.store.changeItems(WORKER, changed)).toEqual(["committed"]);
      };
      await hold("before", 1_000);
      await hold("failed", 1_000);
      await hold("after", 5_000);
      await change("failed", "failed");
      await here.store.startRestored(5_000, HOLD_MS, { account: OWN, from: 2_000 });

      await change("before", "pending");
      await change("failed", "pending");
      await change("after", "pending");
      expect(await statuses()).toEqual({ before: "unknown", failed: "unknown", after: "pending" });
      const [latest] = await here.store.items({ status: "unknown", limit: 1 });
      expect(latest).toMatchObject({ startedAt: 1_000, notBefore: 6_000 + HOLD_MS, reason: DOUBT });
      await change("before", "pending");
      expect(await statuses()).toMatchObject({ before: "pending" });
    });

    it("does so only for the account for which the other store answered, in any store", async () => {
      await answer("own", 1_000);
      await answer("other", 1_000, OTHER);

      expect(await here.store.startRestored(5_000, HOLD_MS, { account: OWN, from: 2_000 })).toBe(1);
      await answer("own before", 4_999);
      await answer("own after", 5_000);
      await answer("other before", 4_999, OTHER);
      expect(await statuses()).toEqual({
        own: "unknown",
        other: "pending",
        "own before": "unknown",
        "own after": "pending",
        "other before": "pending",
      });
      const { items } = await here.store.stats();
      expect(items).toMatchObject({ unknown: 2, pending: 3 });
      const due = await here.store.dueItems(here.leases, 10_000, 9);
      expect(due.map(({ key }) => key)).toContain("item of other");
      const [own] = await here.store.items({ account: OWN, status: "unknown", limit: 1 });
      expect(own).toMatchObject({ startedAt: 4_999, notBefore: HOLD_MS });
    });

    it("stores the time of each account, also beside the time of all accounts", async () => {
      await here.store.startRestored(5_000, HOLD_MS, { account: OWN, from: 2_000 });
      await here.store.startRestored(3_000, HOLD_MS, { account: OTHER, from: 2_000 });
      await here.reopen();
      await answer("own", 4_000);
      await answer("other", 4_000, OTHER);
      await answer("other before", 2_999, OTHER);
      expect(await statuses()).toMatchObject({ own: "unknown", other: "pending" });
      expect(await statuses()).toMatchObject({ "other before": "unknown" });

      await here.store.setMeta(RESTORED_FROM, "1");
      await here.store.startRestored(6_000, HOLD_MS);
      await here.store.startRestored(7_000, HOLD_MS, { account: OWN, from: 2_000 });
      await answer("own later", 6_500);
      await answer("other later", 6_500, OTHER);
      await answer("other late", 5_500, OTHER);
      expect(await statuses()).toMatchObject({
        "own later": "unknown",
        "other later": "pending",
        "other late": "unknown",
      });
    });

    it("is still to be started as a restored one after another store answered for an account", async () => {
      await answer("other", 1_000, OTHER);
      await here.store.setMeta(RESTORED_FROM, "1");
      await here.store.startRestored(5_000, HOLD_MS, { account: OWN, from: 2_000 });

      expect(await here.store.startRestored(5_000, HOLD_MS)).toBe(1);
    });

    it("applies a time that an earlier version stored to all accounts", async () => {
      await here.store.setMeta(ANSWERED_ELSEWHERE, `{"until":5000,"holdMs":${HOLD_MS}}`);
      await here.reopen();
      await here.store.startRestored(6_000, HOLD_MS, { account: OWN, from: 2_000 });
      await answer("own", 5_500);
      await answer("other", 4_999, OTHER);
      await answer("other after", 5_000, OTHER);

      expect(await statuses()).toEqual({
        own: "unknown",
        other: "unknown",
        "other after": "pending",
      });
    });

    it("looks up an answer that is committed in the same moment", async () => {
      const transition = await answering("own", 4_000);
      await Promise.all([
        here.store.startRestored(5_000, HOLD_MS, { account: OWN, from: 2_000 }),
        here.store.commit(WORKER, [transition]),
      ]);

      expect(await statuses()).toEqual({ own: "unknown" });
    });
  });
}
