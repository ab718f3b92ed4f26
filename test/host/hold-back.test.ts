import { expect, it } from "vitest";
import { holdBack, type HoldBackNeeds } from "../../src/host/operating/hold-back.ts";
import type { Pause } from "../../src/runtime/store/pause.ts";
import type { HeldLane } from "../../src/runtime/outbox/held-by-hand.ts";

const PERSON: HeldLane = {
  account: "100",
  lane: "100/300",
  items: 2,
  since: 0,
  reason: "30 in 10m",
  seq: 1,
};

/** User id of an account that was unlinked while it was paused. */
const UNLINKED = "101";

/**
 * Operations on held answers to `lanes`, and on one open hand-over. All persons had the handle `ana`, unless `names` has
 * another one by lane.
 */
function operations(
  lanes: readonly string[],
  handOver?: string,
  names: Readonly<Record<string, string>> = {},
) {
  const released: string[] = [];
  let pauses: readonly Pause[] = [{ account: UNLINKED, since: 0 }];
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
      list: () => pauses,
      pause: async () => false,
      async resume(account) {
        const before = pauses.length;
        pauses = pauses.filter((pause) => pause.account !== account);
        return pauses.length < before;
      },
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
    usernameOf: async ({ lane }) => names[lane] ?? "ana",
    store: { silences: async () => [] },
    clock: { now: () => 0 },
  };
  return { holding: holdBack(needs), released, resolved };
}

it.each(["@Ana", "＠ana"])("held answers to the one person %s are released", async (person) => {
  const { holding, released, resolved } = operations(["100/300"], "100/300");

  expect(await holding.resume({ person, drop: false })).toMatchObject({
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

it("the pause of an unlinked account ends by the account's id, and the refusal of its handle names the id", async () => {
  const { holding } = operations([]);

  expect(await holding.resume({ account: "hello_bot", drop: false })).toEqual({
    done: false,
    reason: "no account hello_bot is linked",
    hint: "list them with: answerback status; name an account that was unlinked by its user id: answerback resume --account 101",
  });
  expect(await holding.resume({ account: "@101", drop: false })).toMatchObject({
    done: true,
    changed: true,
    paused: [],
  });
  expect(await holding.resume({ account: "101", drop: false })).toEqual({
    done: false,
    reason: "no account 101 is linked",
    hint: "list them with: answerback status",
  });
});

it("held answers of an unlinked account are dropped by the account's id", async () => {
  const { holding, released } = operations(["100/300"]);

  expect(await holding.resume({ account: "100", person: "@ana", drop: true })).toMatchObject({
    done: true,
    items: 2,
  });
  expect(released).toEqual(["100/300"]);
});

it("answers of nobody in particular are not dropped, and no pause ends", async () => {
  const { holding, released } = operations(["100/300"]);
  const before = holding.paused();

  expect(await holding.resume({ drop: true })).toEqual({
    done: false,
    reason: "drop discards the held answers to one person, and no person is named",
    hint: "name the person: answerback resume --person ana --drop",
  });
  expect({ paused: holding.paused(), released }).toEqual({ paused: before, released: [] });
});

it.each([
  { person: "783214", lane: "100/783214" },
  { person: "@783214", lane: "100/300" },
])("$person is one person, although another one has the id as a handle", async (one) => {
  const names: Readonly<Record<string, string>> = { "100/300": "783214", "100/783214": "ana" };
  const { holding, released } = operations(Object.keys(names), undefined, names);

  expect(await holding.resume({ person: one.person, drop: false })).toMatchObject({ done: true });
  expect(released).toEqual([one.lane]);
});
