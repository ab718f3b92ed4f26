import { describe, expect, it, test } from "vitest";
import { applyTransition } from "../../../../src/runtime/store/machine/transition.ts";
import type { Transition } from "../../../../src/runtime/store/transition.ts";
import { run } from "../builders.ts";
import type { MapPort } from "./support/map-port.ts";
import { LANE, portWith, storedRun, transition } from "./support/rows.ts";

const SLOT = "table/4";
const OTHER_LANE = "100:300";

/**
 * Creates storage with these rows in `LANE`:
 *
 * - the user state `count` in version 2
 * - run 1 in version 1, which waits for an event
 * - runs 2 and 3, which wait for an event too; run 2 has the slot, and run 3 waits for this slot
 * - two silences (from escalations that silence the bot), with the ids 10 and 11
 */
const full = (): MapPort => {
  const port = portWith({
    runs: [
      storedRun(1, { listens: true }),
      storedRun(2, { listens: true, slot: SLOT }),
      storedRun(3, { listens: true, slot: SLOT, queues: true, version: 5 }),
    ],
  });
  port.state.set("count", 2);
  port.silences.set(LANE, [10, 11]);
  return port;
};

const listener = (seq: number, version = 1) => ({ id: `${seq}/rule:faq`, version });
const holder = (seq: number, queues?: true) => ({
  id: `${seq}/rule:faq`,
  ...(queues && { queues }),
});
const write = (key: string, version: number) => ({ key, value: "3", version });

type Read = Partial<Transition>;

const offeredTo = (...runs: readonly ReturnType<typeof listener>[]): Read => ({ offeredTo: runs });
const slotOf = (...runs: readonly ReturnType<typeof holder>[]): Read => ({
  slots: [{ slot: SLOT, runs }],
});
const silencedBy = (...ids: readonly number[]): Read => ({ silencedBy: ids });
const LISTENERS = [listener(3, 5), listener(2), listener(1)] as const;

const UNCHANGED: readonly { readonly why: string; readonly read: Read }[] = [
  { why: "nothing was read", read: {} },
  { why: "state has the version that was read", read: { state: [write("count", 2)] } },
  { why: "state is missing, as it was", read: { state: [write("other", 0)] } },
  { why: "a run has the version that was read", read: { runs: [run(3, { version: 5 })] } },
  { why: "a run is new", read: { runs: [run(4)] } },
  { why: "the same runs listen", read: offeredTo(...LISTENERS) },
  { why: "no run listens, as before", read: { lane: OTHER_LANE, offeredTo: [] } },
  { why: "the slot has the same runs", read: slotOf(holder(2), holder(3, true)) },
  { why: "the slot is empty, as it was", read: { slots: [{ slot: "free", runs: [] }] } },
  { why: "the lane has the same silences", read: silencedBy(10, 11) },
  { why: "the lane has no silence, as before", read: { lane: OTHER_LANE, silencedBy: [] } },
];

const CHANGED: readonly { readonly why: string; readonly read: Read }[] = [
  { why: "state has a later version", read: { state: [write("count", 1)] } },
  { why: "state was removed and begins again", read: { state: [write("count", 3)] } },
  { why: "state was added", read: { state: [write("count", 0)] } },
  { why: "state was removed", read: { state: [write("other", 1)] } },
  { why: "the second of two values changed", read: { state: [write("count", 2), write("b", 1)] } },
  { why: "a run has a later version", read: { runs: [run(3, { version: 4 })] } },
  { why: "a run is gone", read: { runs: [run(4, { version: 1 })] } },
  {
    why: "the second of two runs changed",
    read: { runs: [run(4), run(1, { version: 2 })] },
  },
  { why: "a run listens that did not", read: offeredTo(listener(3, 5), listener(2)) },
  { why: "a run listens where none did", read: offeredTo() },
  { why: "a run listens no more", read: offeredTo(...LISTENERS, listener(0)) },
  { why: "another run listens", read: offeredTo(listener(3, 5), listener(2), listener(0)) },
  { why: "a listening run has changed", read: offeredTo(listener(3, 4), listener(2), listener(1)) },
  {
    why: "runs listen in another order",
    read: offeredTo(listener(2), listener(3, 5), listener(1)),
  },
  { why: "a run has entered the slot", read: slotOf(holder(2)) },
  { why: "a run has left the slot", read: slotOf(holder(1), holder(2), holder(3, true)) },
  { why: "another run is in the slot", read: slotOf(holder(1), holder(3, true)) },
  { why: "a run in the slot waits no longer", read: slotOf(holder(2, true), holder(3, true)) },
  {
    why: "the second of two slots changed",
    read: {
      slots: [
        { slot: "free", runs: [] },
        { slot: SLOT, runs: [] },
      ],
    },
  },
  { why: "the lane has a silence more", read: silencedBy(10) },
  { why: "the lane has a silence where it had none", read: silencedBy() },
  { why: "the lane has a silence less", read: silencedBy(10, 11, 12) },
  { why: "the lane has another silence", read: silencedBy(10, 12) },
];

describe("an open input", () => {
  test.each(UNCHANGED)("is processed when $why", ({ read }) => {
    expect(applyTransition(full(), transition(read))).toBe("committed");
  });

  describe.each(["done", "dead-lettered"] as const)("is stale for the outcome %s", (outcome) => {
    test.each(CHANGED)("when $why; nothing is written", ({ read }) => {
      const port = full();

      expect(applyTransition(port, transition({ ...read, outcome }))).toBe("stale");
      expect(port.writes).toEqual([]);
    });
  });

  it("is stale after a single change among many equal values", () => {
    const same = UNCHANGED.filter(({ read }) => read.lane === undefined);
    const read = Object.assign({}, ...same.map((one) => one.read)) as Read;

    expect(applyTransition(full(), transition(read))).toBe("committed");
    expect(applyTransition(full(), transition({ ...read, silencedBy: [] }))).toBe("stale");
  });
});
