import { describe, expect, it } from "vitest";
import type { NewTimer, RunWrite } from "../../../src/runtime/store/run.ts";
import type { Transition } from "../../../src/runtime/store/transition.ts";
import { entry, item, run, takenIn } from "./builders.ts";
import type { Place } from "./contract.ts";
import { storeOfEach, WORKER } from "./store-of-each.ts";

const NOW = 10_000;
const SLOT = "slot/redeem/A1";

/** Tests for every store engine: runs that share a slot (a mutex), which one of them holds at a time. */
export function describeSlots(name: string, place: () => Promise<Place>): void {
  describe(`runs that share a slot, in ${name}`, () => {
    const here = storeOfEach(place);

    /** Appends an entry to a person's conversation, and commits its decision with these effects. */
    const decide = async (person: number, over: (seq: number) => Partial<Transition>) => {
      const lane = `100/${person}`;
      const [appended] = await here.store.append([entry({ key: `dm:${seqs++}`, lane })]);
      const seq = appended?.seq ?? 0;
      const inputs = await here.store.fetch(here.leases, NOW, 100);
      const input = inputs.find((one) => one.kind === "event" && one.entry.seq === seq);
      if (input === undefined) throw new Error(`${seq} is not in the inbox`);
      return here.store.commit(WORKER, [takenIn(here.leases, input, over(seq))]);
    };
    let seqs = 1;
    const holding = (seq: number, person: number, over: Partial<RunWrite> = {}): RunWrite =>
      run(seq, { lane: `100/${person}`, status: "waiting", slot: SLOT, ...over });
    const turn = (seq: number, person: number): NewTimer => ({
      id: `turn/${seq}`,
      run: `${seq}/rule:faq`,
      lane: `100/${person}`,
      dueAt: NOW * 10,
    });
    const begin = (person: number) => decide(person, (seq) => ({ runs: [holding(seq, person)] }));
    const queue = (person: number) =>
      decide(person, (seq) => ({
        runs: [holding(seq, person, { queues: true, waitsFor: `turn/${seq}` })],
        timers: [turn(seq, person)],
      }));
    const end = (seq: number, person: number) =>
      decide(9, () => ({
        runs: [run(seq, { lane: `100/${person}`, status: "done", version: 1 })],
        at: NOW,
      }));
    const held = async () => {
      const runs = (await here.store.slots([SLOT, "slot/other"])).get(SLOT) ?? [];
      return runs.map(({ id, queues }) => (queues ? `${id} queues` : id));
    };
    const due = async () => {
      const inputs = await here.store.fetch(here.leases, NOW, 100);
      return inputs.map((input) => (input.kind === "timer-due" ? input.timer.id : input.kind));
    };

    it("are found by it as long as they are open, also after a restart", async () => {
      await begin(200);
      await queue(300);
      await here.reopen();

      expect(await held()).toEqual(["1/rule:faq", "2/rule:faq queues"]);
      await end(1, 200);
      expect(await held()).toEqual(["2/rule:faq queues"]);
    });

    it("wake the next waiting run when one ends, in any lane, one at a time", async () => {
      await begin(200);
      await queue(300);
      await queue(400);

      expect(await due()).toEqual([]);
      await end(1, 200);
      expect(await due()).toEqual(["turn/2"]);
      await end(2, 300);
      expect(await due()).toEqual(["turn/2", "turn/3"]);
    });

    it("are freed by a failed run as well as by a finished one", async () => {
      await begin(200);
      await queue(300);
      await decide(9, () => ({
        outcome: "dead-lettered",
        at: NOW,
        runs: [run(1, { lane: "100/200", status: "failed", version: 1, body: "{}" })],
      }));

      expect(await due()).toEqual(["turn/2"]);
    });

    it("make decisions stale that were made with other holders than the current ones", async () => {
      await begin(200);
      const seen = (...runs: { id: string; queues?: true }[]) => ({
        slots: [{ slot: SLOT, runs }],
      });

      expect(await decide(300, () => seen())).toEqual(["stale"]);
      expect(await decide(301, () => seen({ id: "1/rule:faq", queues: true }))).toEqual(["stale"]);
      expect(await decide(302, () => seen({ id: "1/rule:faq" }))).toEqual(["committed"]);
      await end(1, 200);
      expect(await decide(303, () => seen({ id: "1/rule:faq" }))).toEqual(["stale"]);
    });

    it("cancel their unsent items when they are withdrawn", async () => {
      await decide(200, (seq) => ({
        runs: [holding(seq, 200)],
        items: [
          item({ key: "k1", seq, run: `${seq}/rule:faq`, lane: "100/200" }),
          item({ key: "k2", seq, run: `${seq}/rule:other`, lane: "100/300" }),
        ],
      }));
      await decide(9, () => ({ withdrawn: ["1/rule:faq"] }));

      const items = await here.store.items({ limit: 9 });
      expect(items.map(({ key, status, reason }) => [key, status, reason])).toEqual([
        ["k2", "pending", undefined],
        ["k1", "expired", "its run has ended"],
      ]);
    });
  });
}
