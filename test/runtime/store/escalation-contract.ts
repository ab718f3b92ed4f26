import { describe, expect, it } from "vitest";
import type { NewEscalation } from "../../../src/runtime/store/escalation.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import type { Transition } from "../../../src/runtime/store/transition.ts";
import { entry, run, takenIn } from "./builders.ts";
import type { Place } from "./contract.ts";
import { storeOfEach, WORKER } from "./store-of-each.ts";

const NOW = 10_000;
const LANE = "100/200";

/** What every engine keeps of what people are asked to take over, and of the silence meanwhile. */
export function describeEscalations(name: string, place: () => Promise<Place>): void {
  describe(`escalations in ${name}`, () => {
    const here = storeOfEach(place);

    const decide = async (key: string, over: Partial<Transition>, lane = LANE) => {
      const [appended] = await here.store.append([entry({ key, lane })]);
      const inputs = await here.store.fetch(here.leases, NOW, 100);
      const input = inputs.find((one) => one.kind === "event" && one.entry.seq === appended?.seq);
      if (input === undefined) throw new Error(`${key} is not in the inbox`);
      const [result] = await here.store.commit(WORKER, [takenIn(here.leases, input, over)]);
      return result;
    };
    const escalation = (over: Partial<NewEscalation> = {}): NewEscalation => ({
      key: "1/rule:human/actions[0]#1",
      run: "1/rule:human",
      seq: 1,
      account: "100",
      lane: LANE,
      queue: "support",
      priority: "normal",
      at: NOW,
      ...over,
    });
    const escalate = (key: string, over: Partial<NewEscalation>) =>
      decide(key, { escalations: [escalation({ key, ...over })] });
    const idsOf = async (query: Omit<Parameters<Store["escalations"]>[0], "limit">) =>
      (await here.store.escalations({ ...query, limit: 10 })).map(({ id }) => id);

    it("are kept with what follows from an event, once each, over a restart", async () => {
      const whole = escalation({
        username: "ana",
        priority: "high",
        note: "she is waiting",
        evidence: { events: ["dm:1", "dm:2"] },
        silences: { scope: LANE, until: 20_000, untilResolved: true },
      });
      await decide("dm:1", { escalations: [whole], runs: [run(1)] });
      await decide("dm:2", { escalations: [whole] });
      await here.reopen();

      expect(await here.store.escalations({ limit: 10 })).toEqual([{ ...whole, id: 1 }]);
      expect((await here.store.stats()).escalations).toEqual({ support: 1 });
    });

    it("are listed newest first, by queue, account and whether they are open", async () => {
      await escalate("a", {});
      await escalate("b", { queue: "trust-safety" });
      await escalate("c", {});
      await here.store.resolveEscalation(1, NOW);

      expect(await idsOf({})).toEqual([3, 2, 1]);
      expect(await idsOf({ open: true })).toEqual([3, 2]);
      expect(await idsOf({ open: false })).toEqual([1]);
      expect(await idsOf({ queue: "support" })).toEqual([3, 1]);
      expect(await idsOf({ account: "101" })).toEqual([]);
      expect(await idsOf({ before: 3, open: true })).toEqual([2]);
      expect(await idsOf({ id: 2 })).toEqual([2]);
      expect((await here.store.stats()).escalations).toEqual({ support: 1, "trust-safety": 1 });
    });

    it("are resolved once", async () => {
      await escalate("a", {});

      expect(await here.store.resolveEscalation(1, 5)).toMatchObject({
        changed: true,
        escalation: { id: 1, resolvedAt: 5 },
      });
      expect(await here.store.resolveEscalation(1, 6)).toMatchObject({
        changed: false,
        escalation: { resolvedAt: 5 },
      });
      expect(await here.store.resolveEscalation(2, 6)).toBeUndefined();
    });

    it("silence a lane or an account, until they are resolved where that is said, also over a restart", async () => {
      await escalate("a", { silences: { scope: LANE, until: 20_000, untilResolved: false } });
      await escalate("b", { run: "2/rule:b", silences: { scope: "100", untilResolved: true } });
      const other = { id: 2, run: "2/rule:b" };
      const both = [{ id: 1, run: "1/rule:human", until: 20_000 }, other];

      expect(await here.store.silences(LANE)).toEqual(both);
      await here.reopen();
      expect(await here.store.silences(LANE)).toEqual(both);
      expect(await here.store.silences("100/300")).toEqual([other]);
      expect(await here.store.silences("101/200")).toEqual([]);
      for (const id of [1, 2]) await here.store.resolveEscalation(id, NOW);
      expect(await here.store.silences(LANE)).toEqual([both[0]]);
    });

    it("come with the inputs of their lane, and make those stale that did not know of them", async () => {
      expect(await decide("dm:1", { silencedBy: [] })).toBe("committed");
      await here.store.append([entry({ key: "dm:2", lane: LANE })]);
      const [before] = await here.store.fetch(here.leases, NOW, 100);
      if (before === undefined) throw new Error("nothing to decide");
      await escalate("dm:3", { silences: { scope: LANE, untilResolved: true } });

      const [late] = await here.store.commit(WORKER, [
        takenIn(here.leases, before, { silencedBy: [] }),
      ]);
      const [now] = await here.store.fetch(here.leases, NOW, 100);

      expect(before.silences).toBeUndefined();
      expect(late).toBe("stale");
      expect(now?.silences).toEqual([{ id: 1, run: "1/rule:human" }]);
      expect(
        await here.store.commit(WORKER, [takenIn(here.leases, before, { silencedBy: [1] })]),
      ).toEqual(["committed"]);
    });
  });
}
