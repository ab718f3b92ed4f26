import { afterEach, describe, expect, it } from "vitest";
import { createClient } from "../../src/client/create-client.ts";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const RULES = `version: 1
rules:
  - id: group
    triggers: [{ trigger: dm.received, in: group }]
    actions: [{ reply: "in the group: \${{ message.text }}" }]
  - id: private
    triggers: [dm.received]
    actions: [{ reply_dm: "in private: \${{ message.text }}" }]
  - id: welcome
    triggers: [user.followed]
    actions: [{ reply_dm: Welcome! }]
`;
const OPT_OUT = `opt_out: { words: [stop], text: Nothing more from us. }`;
const NIGHT = `quiet_hours: { zone: UTC, times: ["22:00-07:00"] }`;
const IN_PRIVATE = "/2/dm_conversations/with/*";
const HOUR = 3_600_000;

let bot: BotOnSandbox;
afterEach(() => bot.close());

const start = async (settings: string): Promise<void> => {
  bot = await botOnSandbox({ rules: { "rules.yaml": RULES }, settings });
};
const clientOf = async (id: string) => {
  const { app } = bot.file;
  const tokens = await bot.sandbox.control.tokens(id, app.id);
  return createClient({
    baseUrl: bot.sandbox.url,
    credentials: {
      type: "oauth1",
      consumerKey: app.consumerKey,
      consumerSecret: app.consumerSecret,
      accessToken: tokens.access_token,
      accessTokenSecret: tokens.access_token_secret,
    },
  });
};
/** Ana creates a group with Ben and the bot. Returns the group's id. */
const createGroup = async (text: string): Promise<string> => {
  const ana = await clientOf(bot.people.ana);
  const participantIds = [bot.people.ben, bot.file.bot.id];
  return (await ana.dms.createGroup({ participantIds, message: { text } })).dm_conversation_id;
};
const inGroup = async (conversationId: string, text: string): Promise<void> => {
  const ana = await clientOf(bot.people.ana);
  await ana.dms.sendTo({ conversationId, text });
};
const inPrivate = (text: string, from: "ana" | "ben" = "ana") =>
  bot.sandbox.control.act(bot.people[from], { type: "dm", to: bot.file.bot.id, text });
const follows = () =>
  bot.sandbox.control.act(bot.people.ana, { type: "follow", user_id: bot.file.bot.id });
/** Makes the platform refuse the bot's messages until the returned function is called. */
const refusing = async (path: string): Promise<() => Promise<unknown>> => {
  const match = { direction: "request", method: "POST", path } as const;
  const fault = { type: "status", status: 429 } as const;
  await bot.sandbox.control.addFault({ match, fault, when: { always: true } });
  return () => bot.sandbox.control.clearFaults();
};
/** Waits for the item whose text contains `text` to have a status. */
const itemWith = (text: string, status: string) =>
  when(async () =>
    (await bot.items()).find(
      ({ action, ...item }) => JSON.stringify(action).includes(text) && item.status === status,
    ),
  );
/** Lets an hour pass in steps, so that all answers that are due are sent. */
const hourPasses = async (): Promise<void> => {
  for (let minutes = 0; minutes < 60; minutes += 20) {
    await bot.sandbox.control.advance(HOUR / 3);
    await bot.quiet();
  }
};
/** Sets the clock to a time of the next day, in UTC. */
const itIs = async (time: string): Promise<void> => {
  const { now } = await bot.sandbox.control.clock();
  const day = new Date(Date.parse(now) + 24 * HOUR).toISOString().slice(0, 10);
  await bot.sandbox.control.setClock(`${day}T${time}:00Z`);
};

describe("an answer that a failing platform has delayed", () => {
  it("is not sent in private after an opt-out in a group, which is confirmed there", async () => {
    await start(OPT_OUT);
    await bot.start();
    const group = await createGroup("hi");
    await itemWith("in the group: hi", "sent");
    const accepting = await refusing(IN_PRIVATE);
    await inPrivate("hello");
    await itemWith("in private: hello", "pending");
    await inPrivate("hello too", "ben");
    await itemWith("in private: hello too", "pending");
    await inGroup(group, "stop");
    await itemWith("Nothing more from us.", "sent");
    await accepting();
    await hourPasses();

    expect(await itemWith("in private: hello", "failed")).toMatchObject({
      reason: "the person has opted out",
    });
    expect(await bot.messagesTo(bot.people.ana)).toEqual([]);
    expect(await bot.messagesTo(bot.people.ben)).toEqual(["in private: hello too"]);
  });

  it("is not sent in a group after an opt-out in private", async () => {
    await start(OPT_OUT);
    await bot.start();
    const group = await createGroup("hi");
    await itemWith("in the group: hi", "sent");
    await bot.stop();
    await inGroup(group, "hello");
    const accepting = await refusing(`/2/dm_conversations/${group}/messages`);
    await bot.start();
    await itemWith("in the group: hello", "pending");
    await inPrivate("stop");
    await itemWith("Nothing more from us.", "sent");
    await accepting();
    await hourPasses();

    expect(await itemWith("in the group: hello", "failed")).toMatchObject({
      reason: "the person has opted out",
    });
  });

  it("waits for the end of the quiet hours, unless a person has asked", async () => {
    await start(NIGHT);
    await itIs("21:30");
    await bot.start();
    const accepting = await refusing(IN_PRIVATE);
    await follows();
    await itemWith("Welcome!", "pending");
    await bot.sandbox.control.advance(HOUR);
    await inPrivate("hello");
    await accepting();
    await itemWith("in private: hello", "sent");
    await itemWith("Welcome!", "held");

    expect(await bot.messagesTo(bot.people.ana)).toEqual(["in private: hello"]);
    await itIs("07:00");
    await itemWith("Welcome!", "sent");
  });

  it("is sent in the quiet hours if the operator retries it", async () => {
    await start(NIGHT);
    await itIs("21:30");
    await bot.start();
    const accepting = await refusing(IN_PRIVATE);
    await follows();
    await itemWith("Welcome!", "pending");
    await bot.sandbox.control.advance(HOUR);
    await accepting();
    const { id } = await itemWith("Welcome!", "held");
    await bot.ask("retryItem", { id });
    await itemWith("Welcome!", "sent");

    expect(await bot.messagesTo(bot.people.ana)).toEqual(["Welcome!"]);
  });
});
