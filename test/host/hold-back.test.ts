import { expect, it } from "vitest";
import { holdBack, type HoldBackNeeds } from "../../src/host/operating/hold-back.ts";
import type { HeldLane } from "../../src/runtime/outbox/held-by-hand.ts";

const PERSON: HeldLane = {
  account: "100",
  lane: "100/300",
  items: 2,
  since: 0,
  reason: "30 in 10m",
  seq: 1,
};

/** Operations on held answers to `lanes`, whose persons all had the handle `ana`, and on one open hand-over. */
function operations(lanes: readonly string[], handOver?: string) {
  const released: string[] = [];
  const resolved: number[] = [];
  const escalation = {
    id: 7,
    key: "run:step:0",
    run: "run",
    seq: 1,
    account: "100",
    queue: "default",
    priority: "normal",
    at: 0,
  } as const;
  const needs: HoldBackNeeds = {
    pausing: {
      isPaused: () => false,
      list: () => [],
      pause: async () => false,
      resume: async () => false,
      beforeResume: () => {},
      onResumed: () => {},
      refresh: async () => {},
    },
    held: {
      list: async () => lanes.map((lane) => ({ ...PERSON, lane })),
      release: async (lane) => {
        released.push(lane);
        return 2;
      },
    },
    accounts: { list: () => [] },
    escalations: {
      list: async () =>
        handOver === undefined
          ? []
          : [{ ...escalation, lane: handOver, silences: { scope: handOver, untilResolved: true } }],
      resolve: async (id) => {
        resolved.push(id);
        return { done: false, reason: "", hint: "" };
      },
    },
    usernameOf: async () => "ana",
  };
  return { holding: holdBack(needs), released, resolved };
}

it("held answers to the one person who had a handle are released by the handle", async () => {
  const { holding, released, resolved } = operations(["100/300"], "100/300");

  expect(await holding.resume({ person: "@Ana", drop: false })).toMatchObject({
    done: true,
    items: 2,
  });
  expect({ released, resolved }).toEqual({ released: ["100/300"], resolved: [7] });
});

it.each([
  { lanes: ["100/300", "100/301"], handOver: undefined, why: "two have held answers" },
  { lanes: ["100/300"], handOver: "100/301", why: "another has a hand-over" },
])("a handle that passed to another person releases nothing: $why", async ({ lanes, handOver }) => {
  const { holding, released, resolved } = operations(lanes, handOver);

  expect(await holding.resume({ person: "@ana", drop: false })).toEqual({
    done: false,
    reason: "several people have had the handle @ana: 300, 301",
    hint: "name one by user id: answerback resume --person 300",
  });
  expect({ released, resolved }).toEqual({ released: [], resolved: [] });
  expect(await holding.resume({ person: "300", drop: true })).toMatchObject({ done: true });
  expect(released).toEqual(["100/300"]);
});
