import { describe, expect, it, test } from "vitest";
import { applyTransition, wakeNext } from "../../../../src/runtime/store/machine/transition.ts";
import type { RunStatus, StoredRun } from "../../../../src/runtime/store/run.ts";
import { run } from "../builders.ts";
import type { MapPort } from "./support/map-port.ts";
import { AT, LANE, portWith, storedRun, transition } from "./support/rows.ts";

const SLOT = "table/4";
const LATER = AT + 1_000;

const holds = (seq: number, over: Partial<StoredRun> = {}) =>
  storedRun(seq, { slot: SLOT, ...over });
/** Creates a run that waits for the slot (a mutex of runs) until its timer `turn/<seq>` is due. */
const queues = (seq: number, over: Partial<StoredRun> = {}) =>
  holds(seq, { queues: true, waitsFor: `turn/${seq}`, ...over });

/**
 * Creates storage with these runs. Each run's timer `turn/<seq>` is due later, unless `dueAt` has another time for it.
 */
const portOf = (
  runs: readonly StoredRun[],
  dueAt: Readonly<Record<string, number>> = {},
): MapPort => {
  const port = portWith({ runs });
  for (const { seq } of runs) port.timers.set(`turn/${seq}`, LATER);
  for (const [timer, due] of Object.entries(dueAt)) port.timers.set(timer, due);
  return port;
};

const woken = ({ writes }: MapPort) => writes.filter(([method]) => method === "moveTimer");

describe("a free slot", () => {
  test.each([
    { why: "the first that queues", runs: [queues(2), queues(3)], wakes: "turn/2" },
    { why: "nobody when none is in it", runs: [], wakes: undefined },
    {
      why: "not a run that has the slot and waits for a timer",
      runs: [holds(2, { waitsFor: "turn/2" }), queues(3)],
      wakes: "turn/3",
    },
    {
      why: "not a run that queues and waits for nothing",
      runs: [holds(2, { queues: true }), queues(3)],
      wakes: "turn/3",
    },
    {
      why: "not a run without a timer",
      runs: [queues(2, { waitsFor: "an item" }), queues(3)],
      wakes: "turn/3",
    },
    {
      why: "not a run that is over",
      runs: [queues(2, { status: "done" }), queues(3)],
      wakes: "turn/3",
    },
    {
      why: "not a run that queues for another slot",
      runs: [queues(2, { slot: "table/5" })],
      wakes: undefined,
    },
    {
      why: "not a run whose turn is now",
      runs: [queues(2), queues(3)],
      dueAt: { "turn/2": AT },
      wakes: "turn/3",
    },
    {
      why: "not a run whose turn has come before",
      runs: [queues(2), queues(3)],
      dueAt: { "turn/2": AT - 1 },
      wakes: "turn/3",
    },
    {
      why: "a run whose turn is a millisecond away",
      runs: [queues(2)],
      dueAt: { "turn/2": AT + 1 },
      wakes: "turn/2",
    },
  ])("wakes $why", ({ runs, wakes, ...row }) => {
    const port = portOf(runs, row.dueAt);
    wakeNext(port, SLOT, AT);

    expect(port.writes).toEqual(wakes === undefined ? [] : [["moveTimer", wakes, AT]]);
  });
});

it("reads the time of a run's turn only if the run waits for it", () => {
  const port = portOf([holds(2, { waitsFor: "turn/2" }), holds(3, { queues: true }), queues(4)]);
  wakeNext(port, SLOT, AT);

  expect(port.reads.slice(1)).toEqual([["dueAt", "turn/4"]]);
});

describe("a written run", () => {
  const statuses: readonly { from: RunStatus; to: RunStatus; frees: boolean }[] = [
    { from: "waiting", to: "done", frees: true },
    { from: "waiting", to: "failed", frees: true },
    { from: "ready", to: "stopped", frees: true },
    { from: "waiting", to: "ready", frees: false },
    { from: "ready", to: "waiting", frees: false },
    { from: "failed", to: "done", frees: false },
    { from: "failed", to: "ready", frees: false },
  ];

  test.each(statuses)("from $from to $to frees its slot: $frees", ({ from, to, frees }) => {
    const port = portOf([holds(1, { status: from }), queues(2)]);
    applyTransition(port, transition({ runs: [run(1, { status: to, version: 1 })] }));

    expect(woken(port)).toEqual(frees ? [["moveTimer", "turn/2", AT]] : []);
    expect(port.writes).toContainEqual(["writeRun", "1/rule:faq", 1]);
  });

  it("frees no slot when it is new, even if it is over at once", () => {
    const port = portOf([queues(2)]);
    applyTransition(port, transition({ runs: [run(1, { slot: SLOT, status: "done" })] }));

    expect(woken(port)).toEqual([]);
    expect(port.writes).toContainEqual(["writeRun", "1/rule:faq", undefined]);
  });

  it("looks for no waiting run when it ends without a slot", () => {
    const port = portOf([storedRun(1), queues(2)]);
    applyTransition(port, transition({ runs: [run(1, { version: 1 })] }));

    expect(port.reads.map(([method]) => method)).not.toContain("holders");
    expect(woken(port)).toEqual([]);
  });

  it("frees the slot that it was stored with, whatever is written", () => {
    const port = portOf([holds(1), queues(2), queues(3, { slot: "table/5" })]);
    applyTransition(port, transition({ runs: [run(1, { version: 1, slot: "table/5" })] }));

    expect(woken(port)).toEqual([["moveTimer", "turn/2", AT]]);
  });

  it("wakes a run whose timer is set by the same transition", () => {
    const port = portWith({ runs: [holds(1)] });
    const next = run(2, { status: "waiting", slot: SLOT, queues: true, waitsFor: "turn/2" });
    const timers = [{ id: "turn/2", run: next.id, lane: LANE, dueAt: LATER }];
    applyTransition(port, transition({ runs: [run(1, { version: 1 }), next], timers }));

    expect(port.timers.get("turn/2")).toBe(AT);
  });

  it("wakes no run whose timer is cancelled by the same transition", () => {
    const port = portOf([holds(1), queues(2), queues(3)]);
    applyTransition(port, transition({ runs: [run(1, { version: 1 })], cancelled: ["turn/2"] }));

    expect(woken(port)).toEqual([["moveTimer", "turn/3", AT]]);
  });

  it("wakes one run for each that ends", () => {
    const port = portOf([holds(1), holds(2), queues(3), queues(4), queues(5)]);
    const runs = [run(1, { version: 1 }), run(2, { version: 1 })];
    applyTransition(port, transition({ runs }));

    expect(woken(port)).toEqual([
      ["moveTimer", "turn/3", AT],
      ["moveTimer", "turn/4", AT],
    ]);
  });
});
