import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signatureOf } from "../../src/runtime/webhook/signature.ts";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";
import * as wire from "../support/wire.ts";

const RULES = `version: 1
rules:
  - id: hours
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: hours}}]
    actions: [{reply_dm: {text: "We open at 9, \${{ sender.name }}."}}]
  - id: lab
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: "R&D"}}, {message.text: {contains: "https://a.example/x?"}}]
    actions: [{reply_dm: {text: "R&D <got> \${{ message.text }}"}}]
  - id: mention
    triggers: [post.mentioned]
    actions: [{reply_post: {text: "Hello @\${{ sender.username }}"}}, like]
  - id: welcome
    triggers: [user.followed]
    actions: [{reply_dm: {text: Welcome!}}, follow]
`;
const BROKEN = `version: 1
rules:
  - id: fine
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: fine}}]
    actions: [{reply_dm: {text: "I am fine."}}]
  - id: torn
    trigers: [dm.received]
    actions: [{reply_dm: {text: "never"}}]
`;

const CALLS = `version: 1
rules:
  - id: redeem
    triggers: [dm.received]
    conditions: [{message.text: {starts_with: redeem}}]
    actions:
      - call: ./codes.ts#redeem
        id: code
        with: {text: "\${{ message.text }}"}
      - if: steps.code.result == "ok"
        then: [{reply_dm: {text: Accepted!}}]
        else: [{reply_dm: {text: "No such code."}}]
`;
const CODES = `export function redeem({ text }: { text: string }): string {
  if (text.endsWith("BREAK")) throw new Error("the code book is on fire");
  return text.endsWith("SPRING") ? "ok" : "unknown";
}
`;

describe("a bot on the sandbox", () => {
  let bot: BotOnSandbox;
  beforeAll(async () => {
    bot = await botOnSandbox({
      rules: { "faq.yaml": RULES, "torn.yaml": BROKEN, "calls.yaml": CALLS, "codes.ts": CODES },
      bots: [fileURLToPath(new URL("../../bots/dice.ts", import.meta.url))],
    });
    await bot.start();
  });
  afterAll(() => bot.close());

  it("answers a message by a rule", async () => {
    const ana = await bot.stranger("Ana");
    await ana.says("what are your HOURS?");

    expect(await ana.answers(1)).toEqual(["We open at 9, Ana."]);
  });

  it("answers a message that only the TypeScript bot handles", async () => {
    const ana = await bot.stranger("Ana");
    await ana.says("roll 2d6");

    expect(await ana.answers(1)).toEqual([expect.stringMatching(/^You rolled \d \+ \d = \d+\.$/)]);
  });

  it("replies to a mention and likes it", async () => {
    const { control } = bot.sandbox;
    const ben = await bot.stranger("Ben");
    await control.act(ben.id, { type: "post", text: `hi @${bot.file.bot.username}` });

    const sent = await when(async () => {
      const items = await bot.items("sent");
      return items.filter(({ lane }) => lane.endsWith(`/${ben.id}`)).length === 2
        ? items
        : undefined;
    });

    expect(sent.map(({ action }) => action.type)).toEqual(
      expect.arrayContaining(["reply_post", "like"]),
    );
    expect(sent.find(({ action }) => action.type === "reply_post")?.platformId).toMatch(/^\d+$/);
  });

  it("welcomes a follower and follows back", async () => {
    const ben = await bot.stranger("Ben");
    await bot.sandbox.control.act(ben.id, { type: "follow", user_id: bot.file.bot.id });

    expect(await ben.answers(1)).toEqual(["Welcome!"]);
  });

  it("runs the valid rules of a broken file, and names the place of the broken rule", async () => {
    const ana = await bot.stranger("Ana");
    await ana.says("how are you, fine?");

    expect(await ana.answers(1)).toEqual(["I am fine."]);
    await bot.logged("torn.yaml:8:5: error:");
    await bot.logged('did you mean "triggers"');
    expect((await bot.status()).rules.problems).toHaveLength(1);
  });

  it("calls a function of a module and continues with its result", async () => {
    const ana = await bot.stranger("Ana");
    await ana.says("redeem SPRING");
    await ana.says("redeem AUTUMN");

    expect(await ana.answers(2)).toEqual(["Accepted!", "No such code."]);
  });

  it("reads a text as people wrote it, however the platform sends it", async () => {
    const ana = await bot.stranger("Ana");
    await ana.says("R&D, https://a.example/x?y=1&z=2");

    expect(await ana.answers(1)).toEqual(["R&D <got> R&D, https://a.example/x?y=1&z=2"]);
  });

  it("ends only the run whose call throws, and stores the reason", async () => {
    const ana = await bot.stranger("Ana");
    await ana.says("redeem BREAK");
    const failed = await when(async () =>
      (await bot.journal()).flatMap(({ runs }) => runs).find(({ status }) => status === "failed"),
    );

    expect(failed.owner).toBe("rule:redeem");
    expect(failed.body).toContain("the code book is on fire");
  });

  it("never answers itself: its own messages are delivered to it and start nothing", async () => {
    const ana = await bot.stranger("Ana");
    await ana.says("hours?");
    await ana.answers(1);
    await bot.quiet();

    const own = (await bot.journal()).filter(({ body }) => {
      const message = JSON.parse(body).direct_message_events?.[0]?.message_create;
      return message?.sender_id === bot.file.bot.id;
    });
    expect(own.length).toBeGreaterThan(0);
    expect(own.flatMap(({ runs }) => runs)).toEqual([]);
  });

  it("answers a delivery once that arrives three times, twice of them at once", async () => {
    const { webhook } = await bot.status();
    const ana = await bot.stranger("Ana");
    const account = bot.file.bot.id;
    const body = JSON.stringify(
      wire.message({
        id: "77001",
        text: "hours",
        from: ana.id,
        to: account,
        account,
        at: Date.now(),
      }),
    );
    const deliver = (): Promise<number> =>
      fetch(`http://${webhook.listen}/webhook`, {
        method: "POST",
        body,
        headers: {
          "content-type": "application/json",
          "x-platform-webhooks-signature": signatureOf(body, bot.file.app.consumerSecret),
        },
      }).then(({ status }) => status);

    const statuses = [...(await Promise.all([deliver(), deliver()])), await deliver()];
    await bot.quiet();

    expect(statuses).toEqual([200, 200, 200]);
    expect(await bot.messagesTo(ana.id)).toHaveLength(1);
    const rows = (await bot.journal()).filter(({ key }) => key === "message:77001");
    expect(rows).toHaveLength(1);
  });

  it("finishes work in progress on a stop request, and exits with 0", async () => {
    const ana = await bot.stranger("Ana");
    await ana.says("hours, once more");
    await when(async () =>
      (await bot.journal()).find(({ body }) => body.includes("hours, once more")),
    );

    expect(await bot.stop()).toBe(0);
    await bot.start();
    await bot.quiet();
    expect(await bot.messagesTo(ana.id)).toEqual(["We open at 9, Ana."]);
  });
});
