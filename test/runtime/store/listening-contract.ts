import { describe, expect, it } from "vitest";
import type { RunWrite } from "../../../src/runtime/store/run.ts";
import type { Transition } from "../../../src/runtime/store/transition.ts";
import { entry, run, takenIn } from "./builders.ts";
import type { Place } from "./contract.ts";
import { storeOfEach, WORKER } from "./store-of-each.ts";

const NOW = 10_000;
const LANE = "100:200";

/** Tests for every store engine: runs that wait for further events of their conversation. */
export function describeListening(name: string, place: () => Promise<Place>): void {
  describe(`runs that wait for a person, in ${name}`, () => {
    const here = storeOfEach(place);

    /** Appends a journal entry, and commits a transition for it that makes the changes in `over`. */
    const decide = async (key: string, over: (seq: number) => Partial<Transition>) => {
      const [appended] = await here.store.append([entry({ key })]);
      const seq = appended?.seq ?? 0;
      const input = await inputOf(seq);
      return here.store.commit(WORKER, [takenIn(here.leases, input, over(seq))]);
    };
    const inputOf = async (seq: number) => {
      const inputs = await here.store.fetch(here.leases, NOW, 100);
      const input = inputs.find((one) => one.kind === "event" && one.entry.seq === seq);
      if (input?.kind !== "event") throw new Error(`${seq} is not in the inbox`);
      return input;
    };
    const listening = (seq: number, over: Partial<RunWrite> = {}): RunWrite =>
      run(seq, { status: "waiting", listens: true, ...over });
    const begin = (key: string) => decide(key, (seq) => ({ runs: [listening(seq)] }));
    const heard = async () => (await here.store.listeners(LANE)).map((one) => one.run.id);

    it("are returned with the next event of their lane, the latest first, also after a restart", async () => {
      await begin("dm:1");
      await begin("dm:2");
      await here.reopen();
      const [same] = await here.store.append([entry({ key: "dm:3" })]);
      const [other] = await here.store.append([entry({ key: "dm:4", lane: "100:300" })]);

      const { listeners } = await inputOf(same?.seq ?? 0);
      expect(listeners.map((one) => [one.run.id, one.entry.key])).toEqual([
        ["2/rule:faq", "dm:2"],
        ["1/rule:faq", "dm:1"],
      ]);
      expect(listeners.map((one) => one.run.listens)).toEqual([true, true]);
      expect((await inputOf(other?.seq ?? 0)).listeners).toEqual([]);
    });

    it("wait until they are written without it", async () => {
      await begin("dm:1");
      const { id, seq } = listening(1);
      await decide("dm:2", () => ({ runs: [run(seq, { id, version: 1, status: "waiting" })] }));

      expect(await heard()).toEqual([]);
      await decide("dm:3", () => ({ runs: [listening(seq, { version: 2 })] }));
      expect(await heard()).toEqual([id]);
      await decide("dm:4", () => ({ runs: [run(seq, { id, version: 3, status: "done" })] }));
      expect(await heard()).toEqual([]);
    });

    it("make an event stale that was decided with an earlier version of them", async () => {
      const first = await begin("dm:1");
      const offeredTo = [{ id: "1/rule:faq", version: 1 }];

      expect(first).toEqual(["committed"]);
      expect(await decide("dm:2", () => ({ offeredTo: [] }))).toEqual(["stale"]);
      expect(
        await decide("dm:3", () => ({ offeredTo: [{ id: "1/rule:faq", version: 2 }] })),
      ).toEqual(["stale"]);
      expect(await decide("dm:4", () => ({ offeredTo }))).toEqual(["committed"]);
    });

    it("have their timers cancelled, and receive the events of their lane before a timer is due", async () => {
      const timer = { id: "t1", run: "1/rule:faq", lane: LANE, dueAt: NOW };
      await decide("dm:1", (seq) => ({ runs: [listening(seq)], timers: [timer] }));
      await here.store.append([entry({ key: "dm:2" })]);

      expect((await here.store.fetch(here.leases, NOW, 10)).map(({ kind }) => kind)).toEqual([
        "event",
        "timer-due",
      ]);
      await decide("dm:3", () => ({ cancelled: ["t1"] }));
      expect((await here.store.fetch(here.leases, NOW, 10)).map(({ kind }) => kind)).toEqual([
        "event",
      ]);
    });
  });
}
