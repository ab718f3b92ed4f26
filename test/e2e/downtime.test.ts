import { afterEach, describe, expect, it } from "vitest";
import type { Answers } from "../../src/runtime/control/contract.ts";
import type { DeliveryRecord } from "../../src/sandbox/kernel/delivery/delivery-log.ts";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const RULES = `version: 1
rules:
  - id: echo
    triggers: [dm.received]
    max_age: 48h
    actions: [{reply_dm: {text: "re \${{ message.text }}"}}]
  - id: public
    triggers: [post.mentioned]
    max_age: 48h
    actions: [{reply_post: {text: "hello \${{ sender.username }}"}}]
  - id: welcome
    triggers: [user.followed]
    max_age: 48h
    actions: [{reply_dm: {text: "welcome"}}]
  - id: thanks
    triggers: [post.liked]
    max_age: 48h
    actions: [{reply_dm: {text: "thanks"}}]
`;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ROUNDS = 6;
/** Number of actions by each of the two people while the bot is down: messages, a follow, a mention, a like. */
const EACH = ROUNDS + 3;
const TIMEOUT = 90_000;

let bot: BotOnSandbox;
afterEach(() => bot.close());

const say = (by: string, text: string) =>
  bot.sandbox.control.act(by, { type: "dm", to: bot.file.bot.id, text });

/** Starts a bot that has answered one message and made one post. */
async function settledBot(sandbox: Parameters<typeof botOnSandbox>[0]["sandbox"] = {}) {
  bot = await botOnSandbox({ rules: { "rules.yaml": RULES }, sandbox });
  const { control } = bot.sandbox;
  await bot.start();
  const { id: post } = await control.act(bot.file.bot.id, { type: "post", text: "We are open" });
  await say(bot.people.ana, "before");
  await when(async () => ((await bot.status()).store.items.sent === 1 ? true : undefined));
  // The bot records coverage up to an event only some time after the event.
  await control.advance(2 * MINUTE);
  await when(async () => ((await spans()).some(({ to }) => to > 0) ? true : undefined));
  return post;
}

/** Lets both people write, follow, mention and like in turn, spread evenly over `ms`. */
async function traffic(ms: number, post: string): Promise<void> {
  const { control } = bot.sandbox;
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [n, id] of [bot.people.ana, bot.people.ben].entries()) {
      await say(id, `${n}.${round}`);
      if (round === 1) await control.act(id, { type: "follow", user_id: bot.file.bot.id });
      if (round === 2) await control.act(id, { type: "post", text: "@hello_bot are you open?" });
      if (round === 4) await control.act(id, { type: "like", post_id: post });
    }
    for (let step = 1; step <= STEPS; step++) await control.advance(ms / ROUNDS / STEPS);
  }
}
const STEPS = 2;

type Shown = Answers["coverage"]["accounts"][number]["spans"][number];

async function spans(): Promise<readonly Shown[]> {
  const { accounts } = await bot.ask("coverage", { hours: 72 });
  return accounts[0]?.spans ?? [];
}

/** Advances the clock until the bot has sent `sent` items, and has caught up on all missed time. */
async function caughtUp(sent: number): Promise<readonly Shown[]> {
  return when(async () => {
    await bot.sandbox.control.advance(MINUTE);
    if ((await bot.status()).store.items.sent < sent) return undefined;
    const shown = await spans();
    const isOpen = shown.some(({ state }) => state === "missing" || state === "too-recent");
    return isOpen ? undefined : shown;
  });
}

async function expectOrder(): Promise<void> {
  for (const [n, id] of [bot.people.ana, bot.people.ben].entries()) {
    const texts = await bot.messagesTo(id);
    const missed = Array.from({ length: ROUNDS }, (_, round) => `re ${n}.${round + 1}`);
    expect(texts.filter((text) => text.startsWith("re "))).toEqual([
      ...(n === 0 ? ["re before"] : []),
      ...missed,
      "re now",
    ]);
    expect(texts.filter((text) => text === "thanks")).toHaveLength(1);
  }
}

const NOT_MISSED: readonly Shown["state"][] = ["none", "delivered", "compared", "unproven"];

/** Returns the spans of coverage that are marked as missed. */
const missedIn = (shown: readonly Shown[]) =>
  shown.filter(({ state }) => !NOT_MISSED.includes(state));

/**
 * Checks the coverage against the sandbox's log: no undelivered event is marked as delivered, and no delivered event as
 * missed.
 */
async function expectAsLogged(shown: readonly Shown[]): Promise<void> {
  const { deliveries } = await bot.sandbox.control.get<{ deliveries: DeliveryRecord[] }>(
    "/deliveries?after=0",
  );
  const first = deliveries.filter(
    ({ event, attempt, replayed }) =>
      event !== "crc" && event !== "replay_job_status" && attempt === 1 && !replayed,
  );
  const stateAt = (at: string) => shown.find(({ to }) => to > Date.parse(at))?.state;
  const failed = first.filter(({ status }) => status !== 200);
  expect(failed.length).toBeGreaterThan(0);
  for (const { at } of failed) expect(["replayed", "backfilled", "lost"]).toContain(stateAt(at));
  const edges = shown.flatMap(({ from, to }) => [from, to]);
  const isAtEdge = ({ at }: DeliveryRecord): boolean =>
    edges.some((edge) => Math.abs(edge - Date.parse(at)) < 2 * MINUTE);
  const arrived = first.filter((one) => one.status === 200 && !isAtEdge(one));
  expect(arrived.filter(({ at }) => !NOT_MISSED.includes(stateAt(at) ?? "lost"))).toEqual([]);
}

describe("downtime of the bot", () => {
  it.each([
    { away: "10 minutes", ms: 10 * MINUTE, follows: 2, states: ["replayed"] },
    { away: "2 hours", ms: 2 * HOUR, follows: 2, states: ["replayed"] },
    { away: "23 hours", ms: 23 * HOUR, follows: 2, states: ["replayed"] },
    { away: "30 hours", ms: 30 * HOUR, follows: 0, states: ["backfilled", "replayed"] },
  ])(
    "of $away is caught up: each is answered once, in order, and what is lost is told",
    async ({ ms, follows, states }) => {
      const post = await settledBot();
      await bot.stop();
      await traffic(ms, post);

      await bot.startProcess();
      for (const id of [bot.people.ana, bot.people.ben]) await say(id, "now");
      const shown = await caughtUp(1 + 2 * (EACH - 1 + 1) + follows);

      await expectOrder();
      const others = missedIn(shown);
      expect(others.map(({ state }) => state)).toEqual(states);
      await expectAsLogged(shown);
      await bot.sandbox.control.advance(30 * MINUTE);
      await bot.quiet();
      expect((await bot.status()).store.items.sent).toBe(1 + 2 * EACH + follows);
      await bot.logged(/caught up \d+ events of /);
    },
    TIMEOUT,
  );

  it(
    "is caught up on although the bot is killed during a replay",
    async () => {
      const post = await settledBot({
        settings: { limits: { enabled: false }, delays: { replay_least_ms: 3_000 } },
      });
      await bot.stop();
      await traffic(3 * HOUR, post);

      await bot.startProcess();
      await when(() => (bot.log().includes("replay started") ? true : undefined));
      await bot.kill();
      await bot.start();
      for (const id of [bot.people.ana, bot.people.ben]) await say(id, "now");
      const shown = await caughtUp(1 + 2 * (EACH + 1));

      await expectOrder();
      const states = new Set(missedIn(shown).map(({ state }) => state));
      expect(states).toEqual(new Set(["replayed"]));
      await expectAsLogged(shown);
    },
    TIMEOUT,
  );
});

/** Makes the platform respond to requests for a replay with a fault. */
const onReplay = (fault: object) =>
  bot.sandbox.control.post("/faults", {
    match: { direction: "request", method: "POST", path: "/2/*/replay*" },
    fault,
    when: { always: true },
  });

describe("if the platform has no replay for the app", () => {
  it(
    "events that could be read are answered, and the rest is reported as lost at once",
    async () => {
      const post = await settledBot();
      await bot.stop();
      await traffic(2 * HOUR, post);
      await onReplay({ type: "status", status: 403 });

      await bot.start();
      for (const id of [bot.people.ana, bot.people.ben]) await say(id, "now");
      const before = Date.parse((await bot.status()).now);
      const shown = await caughtUp(1 + 2 * (ROUNDS + 2));

      expect(Date.parse((await bot.status()).now) - before).toBeLessThan(HOUR);
      const others = missedIn(shown);
      expect((await bot.status()).catchup).toEqual({
        gaps: 0,
        noReplay: expect.stringContaining("403"),
      });
      expect(others.map(({ state }) => state)).toEqual(["backfilled"]);
      expect(others[0]?.reason).toMatch(/the platform does not replay for this app.*403/);
      await bot.logged("messages and mentions were read back, the rest is lost");
      // a second gap, of the milliseconds around the subscription, may be caught up
      expect(bot.log()).not.toMatch(/caught up \d+ events of 2 h/);
      for (const id of [bot.people.ana, bot.people.ben]) {
        expect(await bot.messagesTo(id)).not.toContain("thanks");
      }
    },
    TIMEOUT,
  );
});

describe("time that repeats because the clock was set back", () => {
  it(
    "is caught up on if the bot was down at the repetition, even if it was up the first time",
    async () => {
      const post = await settledBot();
      const { control } = bot.sandbox;
      await control.advance(30 * MINUTE);
      await bot.stop();
      await bot.start();
      const { now } = await control.clock();
      await control.setClock(new Date(Date.parse(now) - 20 * MINUTE).toISOString());
      await control.advance(MINUTE);
      await bot.stop();
      await traffic(12 * MINUTE, post);

      await bot.start();
      for (const id of [bot.people.ana, bot.people.ben]) await say(id, "now");
      const shown = await caughtUp(1 + 2 * (EACH + 1));

      const states = new Set(missedIn(shown).map(({ state }) => state));
      expect(states).toEqual(new Set(["replayed"]));
      await expectOrder();
      await expectAsLogged(shown);
    },
    TIMEOUT,
  );
});

describe("an hour in which only deliveries failed", () => {
  it(
    "is caught up on by the running bot",
    async () => {
      const post = await settledBot();
      const { control } = bot.sandbox;
      const { listen } = (await bot.status()).webhook;
      await control.host("bot.example", "http://127.0.0.1:9");
      await traffic(70 * MINUTE, post);
      await when(async () => ((await bot.status()).webhook.valid ? undefined : true));
      await control.host("bot.example", `http://${listen}`);
      await when(async () => {
        await control.advance(MINUTE);
        return (await bot.status()).webhook.valid ? true : undefined;
      });
      for (const id of [bot.people.ana, bot.people.ben]) await say(id, "now");
      const shown = await caughtUp(1 + 2 * (EACH + 1));

      const states = new Set(missedIn(shown).map(({ state }) => state));
      expect(states).toEqual(new Set(["replayed"]));
      await expectOrder();
      await expectAsLogged(shown);
    },
    TIMEOUT,
  );
});

describe("twenty minutes without deliveries between two challenges", () => {
  it(
    "are noticed by reading, and caught up on, including follows and likes",
    async () => {
      const post = await settledBot();
      const { control } = bot.sandbox;
      const { listen } = (await bot.status()).webhook;
      await control.host("bot.example", "http://127.0.0.1:9");
      await traffic(20 * MINUTE, post);
      await control.host("bot.example", `http://${listen}`);
      expect((await bot.status()).webhook.valid).toBe(true);

      await caughtUp(1 + 2 * EACH);
      for (const id of [bot.people.ana, bot.people.ben]) await say(id, "now");
      const shown = await caughtUp(1 + 2 * (EACH + 1));

      await bot.logged(
        "deliveries were missed: the events were found by reading from the platform",
      );
      await expectOrder();
      await expectAsLogged(shown);
    },
    TIMEOUT,
  );
});

describe("a question whose time ended during the downtime", () => {
  const ASKS = `version: 1
rules:
  - id: order
    triggers: [dm.received]
    conditions: [{message.text: order}]
    actions:
      - id: number
        ask: {text: Which one?, within: 15m, on_timeout: [{reply_dm: Too late.}, {stop: no answer}]}
      - reply_dm: Order \${{ steps.number.text }} is on its way.
`;

  it.each([
    { when: "in time", afterMs: 5 * MINUTE, last: "Order A12345 is on its way." },
    { when: "too late", afterMs: 25 * MINUTE, last: "Too late." },
  ])(
    "is settled by the missed answer, which came $when",
    async ({ afterMs, last }) => {
      bot = await botOnSandbox({ rules: { "rules.yaml": ASKS } });
      const { control } = bot.sandbox;
      await bot.start();
      await say(bot.people.ana, "order");
      await when(async () => ((await bot.status()).store.items.sent === 1 ? true : undefined));
      await bot.quiet();
      await bot.stop();
      await control.advance(afterMs);
      await say(bot.people.ana, "A12345");
      await control.advance(20 * MINUTE);
      await control.post("/faults", {
        match: { direction: "request", method: "GET", path: "/2/dm_events" },
        fault: { type: "delay", ms: 2_000 },
        when: { always: true },
      });

      await bot.startProcess();
      await when(async () => ((await bot.status()).store.items.sent === 2 ? true : undefined));

      expect(await bot.messagesTo(bot.people.ana)).toEqual(["Which one?", last]);
    },
    TIMEOUT,
  );
});
