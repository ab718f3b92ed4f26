import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  CHECK_EVERY_MS,
  type SpotCheck,
  spotCheck,
} from "../../../src/runtime/catchup/spot-check.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { world, type World } from "../../client/support/world.ts";
import { type HandClock, handClock } from "../../support/hand-clock.ts";
import { when } from "../../support/when.ts";
import { type Lists, openLists } from "./support/lists.ts";

const MINUTE = 60_000;

let here: World;
let clock: HandClock;
let check: SpotCheck;
let texts: string[];
let doubted: number[];
let expectedSince: number;
let unprovenFrom: number;
beforeEach(async () => {
  here = await world();
  await here.sandbox.control.advance(MINUTE);
  clock = handClock(await platformTime());
  expectedSince = -Infinity;
  unprovenFrom = clock.now();
  texts = [];
  doubted = [];
  check = spotCheck({
    clientOf: () => here.bot,
    append: async (_delivery, raw) => {
      texts.push(/"text":"(\w+)"/u.exec(raw)?.[1] ?? raw);
      return 1;
    },
    clock,
    log: openLog({ level: "silent" }),
    onFound: async () => {},
    lastProof: () => unprovenFrom,
    uncompared: async (_account, { to }) => [{ from: unprovenFrom, to }],
    expectedSince: async () => expectedSince,
    onCompared: async () => {},
    onMissing: (_account, since) => doubted.push(since),
  });
});
afterEach(async () => {
  await check.stop();
  await here.close();
});

const platformTime = async (): Promise<number> =>
  Date.parse((await here.sandbox.control.get<{ now: string }>("/clock")).now);

const say = (text: string) =>
  here.sandbox.control.act(here.personId, { type: "dm", to: here.botId, text });

/** Moves the sandbox's clock, and sets the runtime's clock to the same time. */
const pass = async (ms: number): Promise<void> => {
  await here.sandbox.control.advance(ms);
  clock.advance((await platformTime()) - clock.now());
};

it("also finds messages shortly before the unproven time, so that they are answered first", async () => {
  await say("early");
  await pass(MINUTE / 2);
  unprovenFrom = clock.now();
  await pass(MINUTE);
  await say("late");
  await pass(20 * MINUTE);
  check.step([here.botId]);
  await pass(20 * MINUTE);
  check.step([here.botId]);

  await when(() => (doubted.length > 0 ? true : undefined));
  expect(texts).toEqual(["early", "late"]);
  expect(doubted).toEqual([expect.any(Number)]);
});

it("finds no messages from the time when the account was unlinked", async () => {
  await say("early");
  await pass(MINUTE / 2);
  unprovenFrom = clock.now();
  expectedSince = clock.now();
  await pass(MINUTE);
  await say("late");
  await pass(20 * MINUTE);
  check.step([here.botId]);
  await pass(20 * MINUTE);
  check.step([here.botId]);

  await when(() => (doubted.length > 0 ? true : undefined));
  expect(texts).toEqual(["late"]);
});

describe("the checks of an account", () => {
  const NOON = Date.UTC(2026, 0, 2, 12);
  let hand: HandClock;
  let lists: Lists;
  let checks: SpotCheck;
  let fresh: number;
  let proof: number;
  /** Start of the oldest stretch that no earlier check compared, in minutes after noon; undefined if there is none. */
  let oldest: number | undefined;
  let since: number;
  let clientOf: () => Lists["client"] | undefined;
  /** Stretches that were looked up, compared and reported as missed, in minutes after noon. */
  let reaches: number[];
  let compared: number[][];
  let missed: number[];

  const minutes = (at: number) => (at - NOON) / MINUTE;
  beforeEach(() => {
    hand = handClock(NOON);
    lists = openLists();
    [fresh, proof, oldest, since] = [0, NOON, undefined, -Infinity];
    [reaches, compared, missed] = [[], [], []];
    clientOf = () => lists.client;
    checks = spotCheck({
      clientOf: () => clientOf(),
      append: async () => fresh,
      clock: hand,
      log: openLog({ level: "silent" }),
      onFound: async () => {},
      lastProof: () => proof,
      uncompared: async (_account, { from, to }) => {
        reaches.push(minutes(from));
        return oldest === undefined ? [] : [{ from: NOON + oldest * MINUTE, to }];
      },
      async expectedSince() {
        begun += 1;
        return since;
      },
      onCompared: async ({ from, to }) => void compared.push([from, to].map(minutes)),
      onMissing: (_account, at) => missed.push(minutes(at)),
    });
  });
  afterEach(() => checks.stop());

  /** Number of checks, and number of those that end without a comparison or a report. */
  let begun: number;
  let others: number;
  beforeEach(() => void ([begun, others] = [0, 0]));

  /** Moves the clock and checks. Resolves when the check, if one is due, has ended. */
  const check = async (ms: number): Promise<void> => {
    hand.advance(ms);
    checks.step(["100"]);
    await when(() => (begun === compared.length + missed.length + others ? true : undefined));
    await new Promise((resolve) => setImmediate(resolve));
  };

  it("compare each stretch once, every ten minutes, up to three minutes ago", async () => {
    expect(CHECK_EVERY_MS).toBe(10 * MINUTE);
    await check(0);
    await check(10 * MINUTE - 1);
    expect(reaches).toEqual([]);
    await check(1);
    expect(compared).toEqual([[-3, 7]]);
    await check(10 * MINUTE);

    expect(compared).toEqual([
      [-3, 7],
      [7, 17],
    ]);
    expect(missed).toEqual([]);
  });

  it("are not begun while the last one is still reading", async () => {
    await check(0);
    hand.advance(10 * MINUTE);
    checks.step(["100"]);
    checks.step(["100"]);
    expect(begun).toBe(1);
    await when(() => (compared.length > 0 ? true : undefined));

    expect(compared).toEqual([[-3, 7]]);
  });

  it("include older stretches that were never compared, up to a day ago", async () => {
    oldest = -60;
    await check(0);
    await check(10 * MINUTE);

    expect(reaches).toEqual([7 - 24 * 60]);
    expect(compared).toEqual([[-60, 7]]);
  });

  it("leave out the time in which the account was not linked", async () => {
    oldest = -60;
    since = NOON + 2 * MINUTE;
    await check(0);
    await check(10 * MINUTE);
    expect(reaches).toEqual([2]);
    expect(compared).toEqual([[2, 7]]);

    since = NOON + 60 * MINUTE;
    others = 1;
    await check(10 * MINUTE);
    expect(compared).toHaveLength(1);
  });

  it("report a found event with the last time at which deliveries surely came", async () => {
    fresh = 1;
    proof = NOON - 20 * MINUTE;
    await check(0);
    lists.messages = [{ id: "1", at: NOON }];
    await check(10 * MINUTE);
    expect(missed).toEqual([-20]);

    proof = NOON + 60 * MINUTE;
    lists.messages = [];
    await check(10 * MINUTE);
    lists.messages = [{ id: "2", at: NOON + 20 * MINUTE }];
    await check(10 * MINUTE);
    expect(missed).toEqual([-20, 17]);
    expect(compared).toEqual([[7, 17]]);
  });

  it("prove nothing if the platform refuses to list, and do not read this time again", async () => {
    lists.fails = (list) => (list === "mentions" ? { status: 403 } : undefined);
    await check(0);
    others = 1;
    await check(10 * MINUTE);
    await when(() => (lists.requests.length === 2 ? true : undefined));
    lists.fails = () => undefined;
    oldest = undefined;
    await when(() => {
      checks.step(["100"]);
      hand.advance(MINUTE);
      return compared.length > 0 ? true : undefined;
    });

    expect(reaches.at(-1)).toBe(7);
  });

  it("wait for the account's client", async () => {
    clientOf = () => undefined;
    await check(0);
    others = 1;
    await check(10 * MINUTE);
    clientOf = () => lists.client;
    await when(() => {
      checks.step(["100"]);
      return compared.length > 0 ? true : undefined;
    });

    expect(compared).toEqual([[-3, 7]]);
  });

  it("begin again from the present after a set-back of the clock", async () => {
    await check(0);
    await check(-60 * MINUTE);
    expect(reaches).toEqual([]);
    await check(10 * MINUTE);

    expect(compared).toEqual([[-63, -53]]);
  });

  it("go on after a check failed", async () => {
    let isBroken = true;
    clientOf = () => {
      if (isBroken) throw new Error("the keys cannot be read");
      return lists.client;
    };
    await check(0);
    others = 1;
    await check(10 * MINUTE);
    isBroken = false;
    await when(() => {
      checks.step(["100"]);
      return compared.length > 0 ? true : undefined;
    });

    expect(compared).toEqual([[-3, 7]]);
  });
});
