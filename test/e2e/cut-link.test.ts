import { afterEach, expect, it } from "vitest";
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
  - id: welcome
    triggers: [user.followed]
    max_age: 48h
    actions: [{reply_dm: {text: "welcome"}}]
`;
const MINUTE = 60_000;
const TIMEOUT = 90_000;
const FOUND = "deliveries went missing: found by reading";

let bot: BotOnSandbox;
afterEach(() => bot.close());

type Shown = Answers["coverage"]["accounts"][number]["spans"][number];

const say = (text: string) =>
  bot.sandbox.control.act(bot.people.ana, { type: "dm", to: bot.file.bot.id, text });
const follow = () =>
  bot.sandbox.control.act(bot.people.ben, { type: "follow", user_id: bot.file.bot.id });

/** A bot that has answered a message, and whose link stands. */
async function settledBot(): Promise<void> {
  bot = await botOnSandbox({ rules: { "rules.yaml": RULES } });
  await bot.start();
  await say("before");
  await when(async () => ((await bot.status()).store.items.sent === 1 ? true : undefined));
  await minutes(2);
}

async function minutes(count: number): Promise<void> {
  for (let minute = 0; minute < count; minute++) await bot.sandbox.control.advance(MINUTE);
}

/** The platform reaches the bot no more. Returns what mends that. */
async function cutLink(): Promise<() => Promise<unknown>> {
  const { listen } = (await bot.status()).webhook;
  await bot.sandbox.control.host("bot.example", "http://127.0.0.1:9");
  return () => bot.sandbox.control.host("bot.example", `http://${listen}`);
}

/** The platform challenges no more by itself; a replay still has one made. */
async function spans(): Promise<readonly Shown[]> {
  const { accounts } = await bot.ask("coverage", { hours: 72 });
  return accounts[0]?.spans ?? [];
}

const isOpen = ({ state }: Shown): boolean => state === "missing" || state === "too-recent";

/** Moves the clock on, for at most as long as challenges take, until nothing is left to catch up. */
async function caughtUp(): Promise<readonly Shown[]> {
  return when(async () => {
    await bot.sandbox.control.advance(MINUTE);
    const shown = await spans();
    return shown.some(isOpen) ? undefined : shown;
  });
}

const found = (times = 1) =>
  when(() => (bot.log().split(FOUND).length > times ? true : undefined));

/** Times at which the platform could deliver something at no attempt. */
async function failedDeliveries(): Promise<readonly number[]> {
  const { deliveries } = await bot.sandbox.control.get<{ deliveries: DeliveryRecord[] }>(
    "/deliveries?after=0",
  );
  return deliveries
    .filter(({ event, attempt, status }) => event !== "crc" && attempt === 1 && status !== 200)
    .map(({ at }) => Date.parse(at));
}

async function expectNoneCalledDelivered(): Promise<void> {
  const shown = await spans();
  const failed = await failedDeliveries();
  expect(failed.length).toBeGreaterThan(0);
  const states = failed.map((at) => shown.find(({ to }) => to > at)?.state);
  expect(states).not.toContain("delivered");
}

const replays = () => bot.log().split("replay begun").length - 1;

it(
  "time without link is not called delivered because reading found messages of it: what followed is caught up, too",
  async () => {
    await settledBot();
    const mend = await cutLink();
    await minutes(1);
    await say("one");
    await minutes(3);
    await say("two");
    await minutes(16);
    await found();
    await minutes(10);
    await follow();
    await minutes(10);
    await expectNoneCalledDelivered();
    await mend();

    await caughtUp();
    await bot.quiet();
    await expectNoneCalledDelivered();
    expect(await bot.messagesTo("ben")).toEqual(["welcome"]);
    expect(await bot.messagesTo("ana")).toEqual(["re before", "re one", "re two"]);
    expect(replays()).toBeLessThanOrEqual(2);
  },
  TIMEOUT,
);
