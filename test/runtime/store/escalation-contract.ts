import { describe, expect, it } from "vitest";
import { handOverOf } from "../../../src/bots/durable/hand-over.ts";
import type { NewEscalation } from "../../../src/runtime/store/escalation.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import type { Transition } from "../../../src/runtime/store/transition.ts";
import { entry, run, takenIn } from "./builders.ts";
import type { Place } from "./contract.ts";
import { storeOfEach, WORKER } from "./store-of-each.ts";

const NOW = 10_000;
const LANE = "100/200";

/** Tests for every store engine: escalations to people, during which the bot is silent in the conversation. */
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

    it("are stored with the effects of an event, once each, over a restart", async () => {
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

    it("have the note of a bot that quotes a message with a NUL character", async () => {
      const { note = "" } = handOverOf("she wrote: a\0b", {}, "desk");
      await escalate("dm:1", { note });

      expect(await here.store.escalations({ limit: 10 })).toMatchObject([
        { note: "she wrote: a\uFFFDb" },
      ]);
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

    it("pause a lane or an account until they are resolved, also over a restart", async () => {
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
      expect(await here.store.silences(LANE)).toEqual([]);
      await here.reopen();
      expect(await here.store.silences(LANE)).toEqual([]);
    });

    it.each([
      { why: "for a time", silences: { until: 20_000, untilResolved: false } },
      { why: "until it is resolved", silences: { untilResolved: true } },
      { why: "for both", silences: { until: 20_000, untilResolved: true } },
      { why: "for a time that is over", silences: { until: 1, untilResolved: false } },
    ])("pause nothing once resolved, after $why", async ({ silences }) => {
      await escalate("a", { silences: { scope: LANE, ...silences } });
      expect(await here.store.silences(LANE)).toHaveLength(1);

      expect(await here.store.resolveEscalation(1, NOW)).toMatchObject({ changed: true });
      expect(await here.store.silences(LANE)).toEqual([]);
      expect(await here.store.resolveEscalation(1, NOW)).toMatchObject({ changed: false });
      expect(await here.store.silences(LANE)).toEqual([]);
    });

    it("keep other pauses when one is resolved", async () => {
      const ofLane = { scope: LANE, until: 20_000, untilResolved: false };
      await escalate("a", { silences: ofLane });
      await escalate("b", { silences: ofLane });
      await escalate("c", { silences: { scope: "100", untilResolved: true } });
      await escalate("d", { account: "101", silences: { scope: "101/200", untilResolved: true } });

      await here.store.resolveEscalation(1, NOW);
      expect((await here.store.silences(LANE)).map(({ id }) => id)).toEqual([2, 3]);
      await here.store.resolveEscalation(3, NOW);
      await here.reopen();
      expect((await here.store.silences(LANE)).map(({ id }) => id)).toEqual([2]);
      expect((await here.store.silences("101/200")).map(({ id }) => id)).toEqual([4]);
    });

    it("make a decision stale that was made before one of them was resolved", async () => {
      await escalate("a", { silences: { scope: LANE, until: 20_000, untilResolved: false } });
      await here.store.append([entry({ key: "dm:2", lane: LANE })]);
      const [silent] = await here.store.fetch(here.leases, NOW, 100);
      if (silent === undefined) throw new Error("nothing to decide");
      await here.store.resolveEscalation(1, NOW);

      const late = takenIn(here.leases, silent, { silencedBy: [1] });
      expect(await here.store.commit(WORKER, [late])).toEqual(["stale"]);
      const [again] = await here.store.fetch(here.leases, NOW, 100);
      expect(again?.silences).toBeUndefined();
    });

    it("are listed by person: user id, or handle in any case with or without @", async () => {
      await escalate("a", { username: "Ana_1" });
      await escalate("b", { lane: "100/300", username: "ben" });
      await escalate("c", { account: "101", lane: "101/200" });
      await escalate("d", { lane: "100/400", username: "200" });

      expect(await idsOf({ person: "@ana_1" })).toEqual([1]);
      expect(await idsOf({ person: "ANA_1" })).toEqual([1]);
      expect(await idsOf({ person: "200" })).toEqual([4, 3, 1]);
      expect(await idsOf({ person: "@200" })).toEqual([4]);
      expect(await idsOf({ person: "200", account: "101", open: true })).toEqual([3]);
      expect(await idsOf({ person: "an" })).toEqual([]);
      expect(await idsOf({ person: "%" })).toEqual([]);
    });

    it("outlive their event while they are open, and are deleted once they are resolved", async () => {
      await escalate("a", {});
      await escalate("b", { seq: 2 });
      const prune = () => here.store.prune({ before: NOW, now: NOW });
      await here.store.resolveEscalation(1, NOW);
      expect(await prune()).toBe(2);
      expect(await idsOf({})).toEqual([2]);

      await here.store.resolveEscalation(2, NOW);
      await prune();
      expect(await idsOf({})).toEqual([]);
    });

    it("arrive with the inputs of their lane, and make decisions stale that did not know them", async () => {
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
