import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const ECHO = `version: 1
rules:
  - id: echo
    triggers: [dm.received]
    actions: [{reply_dm: {text: "re \${{ message.text }}"}}]
`;
/** Number of messages that an account may send in a quarter of an hour. */
const LIMIT = 15;
const MINUTE = 60_000;

let bot: BotOnSandbox;
beforeEach(async () => {
  bot = await botOnSandbox({
    rules: { "echo.yaml": ECHO },
    sandbox: { settings: { limits: { enabled: true } } },
  });
  await bot.start();
});
afterEach(() => bot.close());

/** Creates `count` people, each of whom sends one message. */
async function people(count: number): Promise<readonly string[]> {
  const { control } = bot.sandbox;
  const ids = await Promise.all(
    Array.from({ length: count }, (_, n) => control.user(`person_${n}`)),
  );
  for (const id of ids) await say(id, "hello");
  return ids;
}
const say = (id: string, text: string): Promise<unknown> =>
  bot.sandbox.control.act(id, { type: "dm", to: bot.file.bot.id, text });
const items = async () => (await bot.status()).store.items;
const sent = (count: number): Promise<true> =>
  when(async () => ((await items()).sent === count ? true : undefined));
/** Waits until `count` outbox items are waiting for a rate limit. */
const waiting = (count: number): Promise<true> =>
  when(async () => {
    const waits = (await bot.items("pending")).filter(({ reason }) => reason?.includes("limit"));
    return waits.length === count ? true : undefined;
  });

describe("a bot under the platform's limits", () => {
  it("waits for the reset instead of being refused, after a restart, too", async () => {
    await people(LIMIT + 10);
    await sent(LIMIT);
    await waiting(10);
    await bot.stop();
    await bot.start();
    const [first] = await bot.items("pending");
    await bot.ask("retryItem", { id: first?.id ?? 0 });
    await waiting(10);
    const attempts = (await bot.items("pending")).map((item) => item.attempts);
    expect(attempts).toEqual(Array.from({ length: 10 }, () => 0));

    await bot.sandbox.control.advance(16 * MINUTE);
    await sent(LIMIT + 10);
    expect((await bot.items()).every((item) => item.attempts === 1)).toBe(true);
  });

  it("does not wait longer when the clock is set back by hours", async () => {
    await people(LIMIT + 2);
    await sent(LIMIT);
    await waiting(2);
    const { control } = bot.sandbox;
    const { now } = await control.advance(0);
    const set = new Date(Date.parse(now) - 5 * 60 * MINUTE).toISOString();
    await control.post("/clock", { set });
    await when(async () => {
      await control.advance(MINUTE);
      return (await items()).sent === LIMIT + 2 ? true : undefined;
    });
    const passed = Date.parse((await control.advance(0)).now) - Date.parse(set);

    expect(passed).toBeLessThan(60 * MINUTE);
  });
});

describe("a bot that can't send", () => {
  it("reports the reason in its status, stores the answers, and sends them once it can", async () => {
    const { control } = bot.sandbox;
    const path = "/2/dm_conversations/with/*/messages";
    const match = { direction: "request", method: "POST", path };
    const fault = { type: "status", status: 401 };
    await control.post("/faults", { match, fault, when: { always: true } });
    await people(3);
    const missing = await when(async () => {
      const [first] = (await bot.status()).missing;
      return first;
    });
    expect(missing.part).toBe("outbox");
    expect(missing.reason).toMatch(
      /^@\w+ cannot send: .* was refused with 401.*; fix: the permission level changed, or the tokens were revoked: run `answerback login/,
    );
    expect(bot.log().match(/cannot send/g)).toHaveLength(1);

    await control.call("DELETE", "/faults");
    await when(async () => {
      await control.advance(MINUTE);
      return (await items()).sent === 3 ? true : undefined;
    });
    expect((await bot.status()).missing).toEqual([]);
    await bot.logged("works again");
  });

  it("no longer reports the reason after the account is linked again, even if no answer waits", async () => {
    const { control } = bot.sandbox;
    const match = { direction: "request", method: "POST", path: "/2/dm_conversations/*" };
    const fault = { type: "status", status: 401 };
    await control.post("/faults", { match, fault, when: { always: true } });
    await people(1);
    await when(async () => ((await bot.status()).missing.length > 0 ? true : undefined));
    await when(async () => {
      await control.advance(60 * MINUTE);
      return (await items()).expired === 1 ? true : undefined;
    });
    expect((await bot.status()).missing).toHaveLength(1);

    await control.call("DELETE", "/faults");
    const { id, username } = bot.file.bot;
    const tokens = await control.tokens(id, bot.file.app.id);
    await bot.ask("linkAccount", {
      id,
      username,
      accessToken: tokens.access_token,
      accessTokenSecret: tokens.access_token_secret,
    });

    expect((await bot.status()).missing).toEqual([]);
  });

  it("sends nothing for an account that is not linked any more, and stores its answers", async () => {
    const { control } = bot.sandbox;
    const match = { direction: "request", method: "POST", path: "/2/dm_conversations/*" };
    const fault = { type: "status", status: 503 };
    await control.post("/faults", { match, fault, when: { always: true } });
    const [person = ""] = await people(1);
    await when(async () => ((await items()).unknown === 1 ? true : undefined));
    await say(person, "and this");
    await when(async () => ((await items()).pending === 1 ? true : undefined));
    await bot.ask("unlinkAccount", { id: bot.file.bot.id });
    await control.call("DELETE", "/faults");
    await control.advance(20 * MINUTE);
    const [held] = await when(async () => {
      const pending = await bot.items("pending");
      return pending[0]?.reason?.includes("not linked") === true ? pending : undefined;
    });

    expect(held?.attempts).toBe(0);
    expect(await bot.messagesTo(person)).toEqual([]);
    expect((await bot.status()).missing.filter(({ part }) => part === "outbox")).toEqual([]);
  });

  it("gives up an answer at once that the person does not accept, with the platform's reason", async () => {
    const { control } = bot.sandbox;
    const quiet = await control.user("quiet_one");
    await say(quiet, "hello");
    await sent(1);
    await control.changeUser(quiet, { receives_your_dm: false });
    await say(quiet, "still there?");
    const [failed] = await when(async () => {
      const failedItems = await bot.items("failed");
      return failedItems.length > 0 ? failedItems : undefined;
    });

    expect(failed?.attempts).toBe(1);
    expect(failed?.reason).toMatch(
      /refused with 403: You do not have permission to DM one or more participants/,
    );
    expect((await bot.status()).missing).toEqual([]);
  });
});
