import { describe, expect, it } from "vitest";
import type { RunWrite } from "../../../src/runtime/store/run.ts";
import { entry, run, takenIn } from "./builders.ts";
import type { Place } from "./contract.ts";
import { storeOfEach, WORKER } from "./store-of-each.ts";

const NOW = 10_000;

/** Tests for every store engine: the rule runs that one journal entry (an event) started. */
export function describeRunsOf(name: string, place: () => Promise<Place>): void {
  describe(`the open runs of an entry, in ${name}`, () => {
    const here = storeOfEach(place);

    const decide = async (key: string, runsOf: (seq: number) => readonly RunWrite[]) => {
      const [appended] = await here.store.append([entry({ key })]);
      const seq = appended?.seq ?? 0;
      const inputs = await here.store.fetch(here.leases, NOW, 100);
      const input = inputs.find((one) => one.kind === "event" && one.entry.seq === seq);
      if (input === undefined) throw new Error(`${seq} is not in the inbox`);
      await here.store.commit(WORKER, [takenIn(here.leases, input, { runs: runsOf(seq) })]);
      return seq;
    };
    const owned = (seq: number, owner: string, over: Partial<RunWrite>): RunWrite =>
      run(seq, { id: `${seq}/${owner}`, owner, ...over });

    it("are those that wait or have a pending effect, in the order of their start, also after a restart", async () => {
      const seq = await decide("dm:1", (one) => [
        owned(one, "rule:order", { status: "waiting" }),
        owned(one, "rule:order#/actions[0].later", { status: "waiting", waitsFor: "t" }),
        owned(one, "rule:order#/actions[0].at-once", { status: "done" }),
        owned(one, "rule:order#/actions[0].asks", { status: "ready" }),
      ]);
      await decide("dm:2", (other) => [owned(other, "rule:order", { status: "waiting" })]);
      await here.reopen();

      const runs = await here.store.runsOf(seq);

      expect(runs.map(({ id, status, version }) => [id, status, version])).toEqual([
        [`${seq}/rule:order`, "waiting", 1],
        [`${seq}/rule:order#/actions[0].later`, "waiting", 1],
        [`${seq}/rule:order#/actions[0].asks`, "ready", 1],
      ]);
    });

    it("are none if all have ended, or if the entry does not exist", async () => {
      const seq = await decide("dm:1", (one) => [owned(one, "rule:order", { status: "done" })]);

      expect(await here.store.runsOf(seq)).toEqual([]);
      expect(await here.store.runsOf(99)).toEqual([]);
    });
  });
}
