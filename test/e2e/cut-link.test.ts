import { afterEach, describe, expect, it } from "vitest";
import type { Answers } from "../../src/runtime/control/contract.ts";
import type { DeliveryRecord } from "../../src/sandbox/kernel/delivery/delivery-log.ts";
import { type BotFiles, botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const RULES = `version: 1
rules:
  - id: echo
    triggers: [dm.received]
    max_age: 48h
    actions: [{reply_dm: {text: "re \${{ message.text }}"}}]
  - id: welcome
    triggers: [user.followed]
    max_age: 48h
    actions: [{reply_dm: {text: "welcome"}}]
`;
const MINUTE = 60_000;
const TIMEOUT = 90_000;
const LOG_CHARS = 8_000;
const FOUND = "deliveries were missed: the events were found by reading from the platform";

let bot: BotOnSandbox;
afterEach(async ({ task }) => {
  // If a wait never ends, the log is the only trace of how far the bot came.
  if (task.result?.state === "fail") process.stdout.write(`${bot.log().slice(-LOG_CHARS)}\n`);
  await bot.close();
});

type Shown = Answers["coverage"]["accounts"][number]["spans"][number];

const say = (text: string) =>
  bot.sandbox.control.act(bot.people.ana, { type: "dm", to: bot.file.bot.id, text });
const follow = () =>
  bot.sandbox.control.act(bot.people.ben, { type: "follow", user_id: bot.file.bot.id });

/** Starts a bot. Its webhook works, and it has answered a message. */
async function settledBot(files: BotFiles = {}): Promise<void> {
  bot = await botOnSandbox({ rules: { "rules.yaml": RULES }, ...files });
  await bot.start();
  await say("before");
  await when(async () => ((await bot.status()).store.items.sent === 1 ? true : undefined));
  await minutes(2);
}

async function minutes(count: number): Promise<void> {
  for (let minute = 0; minute < count; minute++) await bot.sandbox.control.advance(MINUTE);
}

/** Cuts the platform off from the bot. Returns a function that restores the connection. */
async function cutLink(): Promise<() => Promise<unknown>> {
  const { listen } = (await bot.status()).webhook;
  await bot.sandbox.control.host("bot.example", "http://127.0.0.1:9");
  return () => bot.sandbox.control.host("bot.example", `http://${listen}`);
}

async function spans(): Promise<readonly Shown[]> {
  const { accounts } = await bot.ask("coverage", { hours: 72 });
  return accounts[0]?.spans ?? [];
}

const isOpen = ({ state }: Shown): boolean => state === "missing" || state === "too-recent";

/** Advances the clock by a minute at a time, until the bot has caught up on all missed time. Returns the coverage. */
async function caughtUp(): Promise<readonly Shown[]> {
  return when(async () => {
    await bot.sandbox.control.advance(MINUTE);
    const shown = await spans();
    return shown.some(isOpen) ? undefined : shown;
  });
}

const missesReported = (times = 1) =>
  when(() => (bot.log().split(FOUND).length > times ? true : undefined));

/** Returns the attempts to deliver events. */
async function attempts(): Promise<readonly DeliveryRecord[]> {
  const { deliveries } = await bot.sandbox.control.get<{ deliveries: DeliveryRecord[] }>(
    "/deliveries?after=0",
  );
  return deliveries.filter(({ event }) => event !== "crc");
}

/** Returns the times at which the first attempt of a delivery failed. */
async function failedDeliveries(): Promise<readonly number[]> {
  return (await attempts())
    .filter(({ attempt, status }) => attempt === 1 && status !== 200)
    .map(({ at }) => Date.parse(at));
}

/** Returns the time of the first successful delivery from `time` on, which may be a retry of a failed one. */
async function firstDelivered(time: number): Promise<number> {
  const times = (await attempts())
    .filter(({ status }) => status === 200)
    .map(({ at }) => Date.parse(at));
  return Math.min(...times.filter((at) => at >= time));
}

/** Returns the times of failed deliveries that the bot's coverage marks as delivered by mistake. */
async function wronglyDelivered(): Promise<readonly number[]> {
  const shown = await spans();
  const failed = await failedDeliveries();
  if (failed.length === 0) throw new Error("nothing failed: the link was not cut");
  return failed.filter((at) => shown.find(({ to }) => to > at)?.state === "delivered");
}

const replays = () => bot.log().split("replay started").length - 1;

/** Waits for the catch-up, and returns its results. @param byHand Number of replays that an operator has requested. */
async function outcome(byHand = 0) {
  await caughtUp();
  await bot.quiet();
  const [ana, ben] = [await bot.messagesTo("ana"), await bot.messagesTo("ben")];
  const hasFewReplays = replays() - byHand <= 2;
  return { wronglyDelivered: await wronglyDelivered(), ana, ben, hasFewReplays };
}

/** Expected results of {@link outcome}: messages and the follow were answered in order, with few replays. */
const expected = (...messages: readonly string[]) => ({
  wronglyDelivered: [],
  ana: ["before", ...messages].map((text) => `re ${text}`),
  ben: ["welcome"],
  hasFewReplays: true,
});

describe("an outage between two challenges", () => {
  it.each([
    { way: "account activity", files: {} },
    { way: "both interfaces", files: { env: { ANSWERBACK_SOURCE: "both" } } },
    { way: "receivers that share a store", files: { shared: true } },
  ])(
    "is not called delivered after reading found messages of it: the rest is caught up, too ($way)",
    async ({ files }) => {
      await settledBot(files);
      const mend = await cutLink();
      await minutes(1);
      await say("one");
      await minutes(3);
      await say("two");
      await minutes(16);
      await missesReported();
      await minutes(10);
      await follow();
      await minutes(10);
      expect(await wronglyDelivered()).toEqual([]);
      await mend();

      expect(await outcome()).toEqual(expected("one", "two"));
    },
    TIMEOUT,
  );

  it(
    "begins with the last delivery before it, and ends with the first one after it",
    async () => {
      await settledBot();
      const mend = await cutLink();
      await minutes(1);
      await follow();
      await minutes(13);
      await say("one");
      await minutes(14);
      await missesReported();
      await mend();
      const mendedAt = Date.parse((await bot.status()).now);
      await say("two");

      expect(await outcome()).toEqual(expected("one", "two"));
      const { to } = (await spans()).find(({ state }) => state === "replayed") ?? { to: 0 };
      expect(to).toBeLessThanOrEqual((await firstDelivered(mendedAt)) + MINUTE);
    },
    TIMEOUT,
  );

  it(
    "continues over a restart",
    async () => {
      await settledBot();
      const mend = await cutLink();
      await say("one");
      await minutes(15);
      await missesReported();
      await bot.stop();
      await bot.start();
      await minutes(5);
      await follow();
      await minutes(10);
      expect(await wronglyDelivered()).toEqual([]);
      await mend();

      expect(await outcome()).toEqual(expected("one"));
    },
    TIMEOUT,
  );

  it(
    "continues when the clock is set back",
    async () => {
      await settledBot();
      const { control } = bot.sandbox;
      const mend = await cutLink();
      await say("one");
      await minutes(15);
      await missesReported();
      await control.setClock(
        new Date(Date.parse((await control.clock()).now) - 5 * MINUTE).toISOString(),
      );
      await minutes(3);
      await follow();
      await minutes(6);
      expect(await wronglyDelivered()).toEqual([]);
      await mend();
      await say("two");

      expect(await outcome()).toEqual(expected("one", "two"));
    },
    TIMEOUT,
  );

  it(
    "is noticed by refused replays, even if none of its events can be read back",
    async () => {
      await settledBot();
      await minutes(50);
      const mend = await cutLink();
      await follow();
      await minutes(1);
      await bot.ask("replay", { from: -45 * MINUTE, to: -40 * MINUTE });
      await when(() => (bot.log().includes("CrcValidationFailed") ? true : undefined));
      await when(async () => ((await spans()).some(isOpen) ? true : undefined));
      await minutes(10);
      expect(await wronglyDelivered()).toEqual([]);
      await mend();

      expect(await outcome(1)).toEqual(expected());
    },
    TIMEOUT,
  );
});

it(
  "without replays, the time of an outage is reported as lost, except for events that were read back",
  async () => {
    await settledBot({ env: { ANSWERBACK_SOURCE: "activity" } });
    const mend = await cutLink();
    await say("one");
    await minutes(15);
    await missesReported();
    await minutes(5);
    await follow();
    await minutes(10);
    await mend();
    await say("two");
    await caughtUp();
    await bot.quiet();

    expect(await wronglyDelivered()).toEqual([]);
    expect((await spans()).map(({ state }) => state)).toContain("backfilled");
    expect(await bot.messagesTo("ana")).toEqual(["re before", "re one", "re two"]);
    expect(await bot.messagesTo("ben")).toEqual([]);
    expect(replays()).toBe(0);
  },
  TIMEOUT,
);

it(
  "time of a quiet account with a working link is proven by an hourly replay, and not before",
  async () => {
    await settledBot();
    await minutes(60);
    expect((await spans()).map(({ state }) => state)).not.toContain("delivered");
    expect(replays()).toBe(0);
    await minutes(90);
    await when(async () => {
      await bot.sandbox.control.advance(MINUTE);
      return (await spans()).some(({ state }) => state === "delivered") ? true : undefined;
    });

    const { accounts } = await bot.ask("coverage", { hours: 72 });
    expect(accounts[0]?.kinds.follows.map(({ state }) => state)).toEqual([
      "none",
      "delivered",
      "unproven",
    ]);
    expect(bot.log()).not.toContain("missed up to");
    // A job is listed as complete only after the bot has recorded the coverage that the job proves.
    const job = await when(async () => {
      const { replays: jobs } = await bot.ask("replays", {});
      return jobs[0]?.state === "running" ? undefined : jobs[0];
    });
    expect(job).toMatchObject({ by: "check", state: "complete", events: 0 });
  },
  TIMEOUT,
);

it(
  "time in which reading found nothing missing is proven only for messages and mentions",
  async () => {
    await settledBot({ env: { ANSWERBACK_SOURCE: "activity" } });
    const shown = await when(async () => {
      await bot.sandbox.control.advance(MINUTE);
      const [account] = (await bot.ask("coverage", { hours: 72 })).accounts;
      return account?.spans.some(({ state }) => state === "compared") === true
        ? account
        : undefined;
    });

    const compared = shown.spans.find(({ state }) => state === "compared");
    const stateThen = (kind: "messages" | "mentions" | "follows" | "likes") =>
      shown.kinds[kind].find(({ to }) => to > (compared?.from ?? 0))?.state;
    expect([stateThen("messages"), stateThen("mentions")]).toEqual(["delivered", "delivered"]);
    expect([stateThen("follows"), stateThen("likes")]).toEqual(["unproven", "unproven"]);
  },
  TIMEOUT,
);
