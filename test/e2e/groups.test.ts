import { afterEach, describe, expect, it } from "vitest";
import { signatureOf } from "../../src/runtime/webhook/signature.ts";
import { createClient } from "../../src/client/create-client.ts";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { closeDoors, holdingBack } from "../support/holding-back.ts";
import { run } from "../support/command-line.ts";
import { when } from "../support/when.ts";

const RULES = `version: 1
rules:
  - id: order
    triggers: [{ trigger: dm.received, in: group, match: { message.text: order } }]
    actions:
      - { id: no, ask: { text: "Which number?", within: 1h } }
      - { reply: "Number \${{ steps.no.text }}, thanks." }
  - id: team
    triggers: [{ trigger: dm.received, in: group }]
    actions:
      - reply: "\${{ conversation.kind }}: \${{ message.text }}"
  - id: alone
    triggers: [dm.received]
    actions: [{ reply_dm: "private: \${{ message.text }}" }]
`;
const PRIVATE = `version: 1
rules:
  - id: alone
    triggers: [dm.received]
    actions: [{ reply_dm: "private: \${{ message.text }}" }]
`;

const HAND_OVER = `version: 1
rules:
  - id: human
    interrupts: true
    triggers: [{ trigger: dm.received, in: group, match: { message.text: "a human please" } }]
    actions:
      - escalate: { queue: support, pause_bot: { until: resolved } }
  - id: team
    triggers: [{ trigger: dm.received, in: group }]
    actions: [{ reply: "Hello!" }]
`;

let bot: BotOnSandbox;
afterEach(async () => {
  closeDoors();
  await bot.close();
});

async function clientOf(id: string) {
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
}

/** Ana creates a group with Ben and the bot, and sends its first message. Returns the group's id. */
async function createGroup(text: string): Promise<string> {
  const ana = await clientOf(bot.people.ana);
  const participantIds = [bot.people.ben, bot.file.bot.id];
  return (await ana.dms.createGroup({ participantIds, message: { text } })).dm_conversation_id;
}

async function says(person: "ana" | "ben", conversationId: string, text: string): Promise<void> {
  const client = await clientOf(bot.people[person]);
  await client.dms.sendTo({ conversationId, text });
}

/** Returns the bot's messages in the group, oldest first. */
async function answers(group: string): Promise<string[]> {
  const client = await clientOf(bot.file.bot.id);
  const texts: string[] = [];
  const fields = { dmEventFields: ["sender_id", "text"] } as const;
  for await (const event of client.dms.eventsIn(group, fields)) {
    if (event.sender_id === bot.file.bot.id) texts.push(event.text ?? "");
  }
  return texts.toReversed();
}

const answered = (group: string, count: number): Promise<string[]> =>
  when(async () => {
    const texts = await answers(group);
    return texts.length >= count ? texts : undefined;
  });

describe("a group", () => {
  it.each([
    { way: "by account activity", settings: "" },
    { way: "by the activity interface", settings: "source: activity" },
  ])("is answered in the group, in order, and own messages start nothing: $way", async (one) => {
    bot = await botOnSandbox({ rules: { "groups.yaml": RULES }, settings: one.settings });
    await bot.start();
    const group = await createGroup("one");
    await says("ben", group, "two");
    await says("ana", group, "three");

    expect(await answered(group, 3)).toEqual(["group: one", "group: two", "group: three"]);
    await bot.quiet();
    expect(await answers(group)).toHaveLength(3);
    const own = (await bot.journal()).filter(({ lane }) => lane.endsWith(`/group:${group}`));
    expect(own).toHaveLength(6);
    expect(await bot.messagesTo("ana")).toEqual([]);
  });

  it("is answered in the group if a delivery names only other users: the platform shows the group", async () => {
    bot = await botOnSandbox({ rules: { "groups.yaml": RULES }, settings: "source: activity" });
    await bot.start();
    const event_type = "dm.received";
    const match = { direction: "delivery", event: event_type } as const;
    await bot.sandbox.control.addFault({ match, fault: { type: "drop" } });
    const group = await createGroup("hello");
    const { ana } = bot.people;
    const [message] = (await (await clientOf(ana)).dms.eventsIn(group)).data;
    const element = {
      type: "message_create",
      id: message?.id,
      created_timestamp: "1",
      message_create: {
        target: { recipient_id: group },
        sender_id: ana,
        message_data: { text: "hello" },
      },
    };
    const payload = { direct_message_events: [element] };
    const filter = { user_id: bot.file.bot.id };
    const body = JSON.stringify({ data: { event_type, event_uuid: "1", filter, payload } });
    const response = await fetch(`${bot.address}/webhook`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-twitter-webhooks-signature": signatureOf(body, bot.file.app.consumerSecret),
      },
      body,
    });
    expect(response.status).toBe(200);
    const texts = await when(async () => {
      await bot.sandbox.control.advance(60_000);
      const all = await answers(group);
      return all.length > 0 ? all : undefined;
    });

    expect(texts).toEqual(["group: hello"]);
    expect(await bot.messagesTo("ana")).toEqual([]);
  });

  it("accepts an answer to a question only from the person who was asked", async () => {
    bot = await botOnSandbox({ rules: { "groups.yaml": RULES } });
    await bot.start();
    const group = await createGroup("order");
    await answered(group, 1);
    await says("ben", group, "mine is 9");
    await answered(group, 2);
    await bot.sandbox.control.act(bot.people.ana, {
      type: "dm",
      to: bot.file.bot.id,
      text: "by the way",
    });
    await when(async () => ((await bot.messagesTo(bot.people.ana)).length > 0 ? true : undefined));
    await says("ana", group, "7");

    expect(await answered(group, 3)).toEqual([
      "Which number?",
      "group: mine is 9",
      "Number 7, thanks.",
    ]);
    expect(await bot.messagesTo(bot.people.ana)).toEqual(["private: by the way"]);
  });

  it("gets an operator's answer to a message of the group, and is silent during a hand-over there", async () => {
    bot = await botOnSandbox({ rules: { "groups.yaml": HAND_OVER } });
    await bot.start();
    const group = await createGroup("a human please");
    const escalation = await when(async () => (await bot.ask("escalations", { limit: 1 }))[0]);
    await says("ben", group, "hello?");
    const cli = (...args: readonly string[]) =>
      run(bot.folder, ...args, "--config", "config/answerback.yaml");
    const { out } = await cli("escalations", "show", String(escalation.id));
    const command = /answerback answer --config \S+ (\S+) TEXT --to (\d+)/.exec(out) ?? [];
    const [, person = "", seq = ""] = command;

    expect(out).toMatch(/^bot paused +for the group, until resolved$/m);
    expect(await cli("answer", person, "We are here.", "--to", seq)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/ has answered @\S+ in the group\.\n$/),
      err: expect.stringContaining(
        `answerback escalations resolve --config config/answerback.yaml ${escalation.id}`,
      ),
    });
    expect(await answers(group)).toEqual(["We are here."]);
    expect(await bot.messagesTo(bot.people.ana)).toEqual([]);
  });

  it("gets its held answers by the command that the status prints", async () => {
    bot = await botOnSandbox({
      rules: { "groups.yaml": RULES },
      settings: "limits: {replies: 1 in 10m}",
    });
    await bot.start();
    const group = await createGroup("one");
    await says("ana", group, "two");
    await says("ben", group, "three");
    await when(async () => (await bot.items("held")).length > 0 || undefined);
    expect(await answered(group, 2)).toEqual(["group: one", "group: three"]);
    const command = `answerback resume --config config/answerback.yaml --person group:${group}`;
    const cli = (...args: readonly string[]) =>
      run(bot.folder, ...args, "--config", "config/answerback.yaml");

    expect((await cli("status")).out).toContain(command);
    expect(await cli("resume", "--person", `group:${group}`)).toMatchObject({ code: 0 });
    expect(await answered(group, 3)).toEqual(["group: one", "group: three", "group: two"]);
  });

  it("starts no rule that does not name groups: the status counts the ignored messages", async () => {
    bot = await botOnSandbox({
      rules: { "private.yaml": PRIVATE },
      settings: "opt_out: {words: [stop], text: Bye}",
    });
    await bot.start();
    const group = await createGroup("stop");
    await says("ben", group, "two");
    await when(async () => ((await bot.status()).work.passedOver === 2 ? true : undefined));
    await bot.quiet();

    expect(await bot.items()).toEqual([]);
    const { out } = await run(bot.folder, "status", "--config", "config/answerback.yaml");
    expect(out).toMatch(
      /^groups +2 messages passed over since the start: no rule or bot says in: group, or in: any$/m,
    );
  });
});

describe.each([
  { way: "by webhook", settings: "", isDown: false },
  { way: "by polling", settings: "source: polling", isDown: false },
  { way: "by reading back after downtime", settings: "", isDown: true },
])("a group's message $way", ({ settings, isDown }) => {
  const silent = async (): Promise<string> => {
    if (!isDown) return createGroup("hello");
    await bot.stop();
    const group = await createGroup("hello");
    await bot.sandbox.control.advance(10 * 60_000);
    await bot.startProcess();
    return group;
  };

  it("is answered once after kill -9 between receipt and answer", async () => {
    const door = holdingBack({ before: true });
    door.refuse(true);
    bot = await botOnSandbox({ rules: { "groups.yaml": RULES }, through: door.through, settings });
    await bot.startProcess();
    const group = await silent();
    await when(async () => (await bot.items("pending")).find(({ attempts }) => attempts > 0));

    await bot.kill();
    door.refuse(false);
    await bot.start();
    await when(async () => {
      await bot.sandbox.control.advance(20_000);
      return (await bot.items("sent")).length > 0 ? true : undefined;
    });
    await bot.quiet();

    expect(await answers(group)).toEqual(["group: hello"]);
    const theirs = (await bot.journal()).filter(({ key }) => key.startsWith("message:"));
    expect(new Set(theirs.map(({ key }) => key)).size).toBe(theirs.length);
  });

  it("is answered once after kill -9 between the answer and its record", async () => {
    const door = holdingBack();
    bot = await botOnSandbox({ rules: { "groups.yaml": RULES }, through: door.through, settings });
    await bot.startProcess();
    const group = await silent();
    await door.held;

    await bot.kill();
    door.release();
    await bot.start();
    await when(async () => {
      await bot.sandbox.control.advance(20_000);
      return (await bot.items("sent")).length > 0 ? true : undefined;
    });
    await bot.quiet();

    expect(await answers(group)).toEqual(["group: hello"]);
  });
});
