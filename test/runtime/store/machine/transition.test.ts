import { describe, expect, it, test } from "vitest";
import { applyTransition } from "../../../../src/runtime/store/machine/transition.ts";
import type { InputRef, Transition } from "../../../../src/runtime/store/transition.ts";
import { item, run } from "../builders.ts";
import type { MapPort } from "./support/map-port.ts";
import { AT, INPUT, itemRow, LANE, portWith, storedRun, transition } from "./support/rows.ts";

const TIMER = { kind: "timer", id: "turn" } as const;
const EFFECT = { kind: "effect", run: "1/rule:faq", version: 1 } as const;
const decision = { seq: 3, text: '{"verdicts":[]}' };

/** Effects of a transition: one of each kind. */
const CONSEQUENCES = {
  decision,
  sources: [{ revision: "r1", ruleId: "faq", path: "faq.yaml", text: "", savedAt: AT }],
  runs: [run(2, { status: "waiting" })],
  timers: [{ id: "new", run: "2/rule:faq", lane: LANE, dueAt: AT + 1 }],
  cancelled: ["old"],
  withdrawn: ["9/rule:gone"],
  clearsLane: "they asked us to stop",
  state: [{ key: "count", value: "1", version: 0 }],
  items: [item({ key: "k" })],
  escalations: [
    {
      key: "help",
      run: "2/rule:faq",
      seq: 2,
      account: "100",
      lane: LANE,
      queue: "support",
      priority: "normal",
      at: AT,
    },
  ],
} as const satisfies Partial<Transition>;

/** Effects of a transition that processes an item's outcome or a timer; only events have a decision. */
const { decision: _, ...followed } = CONSEQUENCES;

/** Creates storage with an unprocessed input of each kind: an inbox entry, a settled item and a due timer. */
const open = (attempts = 0): MapPort => {
  const port = portWith({ attempts, runs: [storedRun(1)] });
  port.timers.set(TIMER.id, 0);
  return port;
};

const decided = (state: string, attempts: number) => [
  "decide",
  { seq: 3, state, attempts, at: AT, text: decision.text },
];

describe("a processed input", () => {
  const inputs: readonly { why: string; input: InputRef }[] = [
    { why: "inbox, no longer there", input: { kind: "inbox", id: INPUT + 1 } },
    { why: "timer, dropped", input: { kind: "timer", id: "dropped" } },
    { why: "effect of an earlier version of the run", input: { ...EFFECT, version: 0 } },
    { why: "effect of a later version of the run", input: { ...EFFECT, version: 2 } },
  ];

  test.each(
    inputs.flatMap((one) =>
      (["done", "retry", "dead-lettered"] as const).map((outcome) => ({ ...one, outcome })),
    ),
  )("stays processed ($why), whatever the outcome is: $outcome", ({ input, outcome }) => {
    const port = open();
    // These slots do not match the stored ones, so the transition would be stale if its input were unprocessed.
    const slots = [{ slot: "table", runs: [{ id: "3/rule:faq" }] }];

    expect(applyTransition(port, transition({ ...CONSEQUENCES, input, outcome, slots }))).toBe(
      "already-done",
    );
    expect(port.writes).toEqual([]);
  });
});

describe("an open input that is to be retried", () => {
  test.each([
    {
      why: "an event is put off, and what was decided is kept",
      over: { retryAt: AT + 9, decision },
      writes: [["putOff", INPUT, 3, AT + 9], decided("open", 3)],
    },
    {
      why: "without a time it is tried again at once",
      over: { decision },
      writes: [["putOff", INPUT, 3, AT], decided("open", 3)],
    },
    {
      why: "the outcome of an item has no decision",
      over: { retryAt: AT + 9 },
      writes: [["putOff", INPUT, 3, AT + 9]],
    },
    { why: "a timer stays due", over: { input: TIMER, retryAt: AT + 9, decision }, writes: [] },
    { why: "an effect stays open", over: { input: EFFECT, retryAt: AT + 9, decision }, writes: [] },
  ])("$why", ({ over, writes }) => {
    const port = open(2);

    expect(applyTransition(port, transition({ ...followed, ...over, outcome: "retry" }))).toBe(
      "committed",
    );
    expect(port.writes).toEqual(writes);
  });

  it("is delayed even if a value that was read has changed", () => {
    const stale = { slots: [{ slot: "table", runs: [{ id: "3/rule:faq" }] }] };

    expect(applyTransition(open(), transition({ ...stale, outcome: "retry" }))).toBe("committed");
  });
});

describe("an open input that is processed", () => {
  test.each([
    {
      why: "an event at the first try",
      over: { decision },
      writes: [["takeIn", INPUT], decided("done", 0)],
    },
    {
      why: "an event after two failures",
      attempts: 2,
      over: { decision },
      writes: [["takeIn", INPUT], decided("done", 2)],
    },
    {
      why: "an event that has failed for good, which is a failure more",
      attempts: 2,
      over: { decision, outcome: "dead-lettered" },
      writes: [["takeIn", INPUT], decided("dead-lettered", 3)],
    },
    { why: "the outcome of an item", over: {}, writes: [["takeIn", INPUT]] },
    { why: "a timer", over: { input: TIMER }, writes: [["dropTimer", TIMER.id]] },
    { why: "an effect", over: { input: EFFECT }, writes: [] },
    {
      why: "an effect that has failed for good",
      over: { input: EFFECT, decision, outcome: "dead-lettered" },
      writes: [decided("dead-lettered", 1)],
    },
  ] as const)("is the only write: $why", ({ over, writes, ...row }) => {
    const port = open("attempts" in row ? row.attempts : 0);

    expect(applyTransition(port, transition(over))).toBe("committed");
    expect(port.writes).toEqual(writes);
  });

  test.each(["done", "dead-lettered"] as const)(
    "is written with all its effects, in one order (%s)",
    (outcome) => {
      const port = portWith({
        items: [
          itemRow({ key: "of withdrawn", run: "9/rule:gone", lane: "100:300" }),
          itemRow({ key: "in lane", id: 2 }),
        ],
      });
      port.timers.set("old", AT);

      expect(applyTransition(port, transition({ ...CONSEQUENCES, outcome }))).toBe("committed");
      expect(port.writes.map(([method, first]) => [method, first])).toEqual([
        ["takeIn", INPUT],
        [
          "decide",
          {
            seq: 3,
            state: outcome,
            attempts: Number(outcome !== "done"),
            at: AT,
            text: decision.text,
          },
        ],
        ["keepSource", "r1"],
        ["writeRun", "2/rule:faq"],
        ["dropTimer", "old"],
        ["setTimer", "new"],
        ["changeItem", "of withdrawn"],
        ["changeItem", "in lane"],
        ["writeState", CONSEQUENCES.state[0]],
        ["addItem", "k"],
        ["count", "k"],
        ["addEscalation", "help"],
      ]);
    },
  );

  it("cancels items at its own time and for its own reason", () => {
    const port = portWith({ items: [itemRow()] });
    applyTransition(port, transition({ clearsLane: "they asked us to stop" }));

    expect(port.items.get("k")).toMatchObject({
      status: "expired",
      settled_at: AT,
      reason: "they asked us to stop",
    });
  });

  it("clears its own lane only", () => {
    const port = portWith({ items: [itemRow({ lane: "100:300" })] });
    applyTransition(port, transition({ clearsLane: "they asked us to stop" }));

    expect(port.items.get("k")?.status).toBe("pending");
  });

  it("clears no lane by default", () => {
    const port = portWith({ items: [itemRow()] });
    applyTransition(port, transition());

    expect(port.items.get("k")?.status).toBe("pending");
  });
});

describe("within one transition", () => {
  it("an item queued in it outlives the clearing of its lane", () => {
    const port = portWith({ items: [itemRow()] });
    applyTransition(port, transition({ clearsLane: "stop", items: [item({ key: "goodbye" })] }));

    expect(port.items.get("k")?.status).toBe("expired");
    expect(port.items.get("goodbye")?.status).toBe("pending");
  });

  it("an item fails by the state written with it, at the time of the transition", () => {
    const port = portWith();
    const unless = { key: "stopped", reason: "they asked us to stop" };
    const state = [{ key: "stopped", value: "true", version: 0 }];
    applyTransition(port, transition({ state, items: [item({ key: "k", unless })] }));

    expect(port.items.get("k")).toMatchObject({ status: "failed", settled_at: AT });
  });

  it("a run continues if it begins to wait for an item that is held back", () => {
    const port = portWith();
    const runs = [run(1, { status: "waiting", waitsFor: "k" })];
    const items = [item({ key: "k", holdReason: "ask me first" })];
    applyTransition(port, transition({ runs, items }));

    expect(port.writes.at(-1)).toEqual(["addSettled", "k"]);
  });

  it("a run that ends is not continued by the items that it withdraws", () => {
    const port = portWith({ runs: [storedRun(1, { waitsFor: "k" })], items: [itemRow()] });
    const runs = [run(1, { status: "stopped", version: 1 })];
    applyTransition(port, transition({ runs, withdrawn: ["1/rule:faq"] }));

    expect(port.writes.at(-1)?.slice(0, 2)).toEqual(["changeItem", "k"]);
  });

  test.each([
    { why: "is due", over: { input: TIMER } },
    { why: "is cancelled", over: { cancelled: [TIMER.id] } },
  ])("a timer that $why can be set to another time", ({ over }) => {
    const port = open();
    const timers = [{ id: TIMER.id, run: "1/rule:faq", lane: LANE, dueAt: AT + 50 }];
    applyTransition(port, transition({ ...over, timers }));

    expect(port.timers.get(TIMER.id)).toBe(AT + 50);
  });

  it("only the input is read if no more is needed", () => {
    const port = portWith();
    applyTransition(port, transition({ decision, runs: [run(2)] }));

    expect(port.reads).toEqual([["attempts", INPUT]]);
  });
});
