import { afterEach, beforeEach, expect, it } from "vitest";
import { type SpotCheck, spotCheck } from "../../../src/runtime/catchup/spot-check.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { world, type World } from "../../client/support/world.ts";
import { type HandClock, handClock } from "../../support/hand-clock.ts";
import { when } from "../../support/when.ts";

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
