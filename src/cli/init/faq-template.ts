import { labTest, type ProjectTemplate } from "./project-template.ts";

const RULES = `# yaml-language-server: $schema=../config/schema/rules.schema.json
#
# Questions, by direct message or in public. The first rule that matches answers.
version: 1

rules:
  - id: hours
    name: Opening hours
    triggers: [dm.received]
    conditions:
      - message.text: { contains_word: [hours, open, opening] }
    actions:
      - reply_dm: We're open Monday to Friday, 9:00 to 17:30.

  - id: refund
    name: Refunds
    triggers: [dm.received]
    conditions:
      - message.text: { contains_word: [refund, money back] }
    actions:
      - reply_dm: |
          Hi \${{ sender.name }}, a refund takes 5 to 10 days.
          Send us your order number, it looks like A12345.

  - id: help
    name: What can be asked
    triggers: [dm.received]
    conditions:
      - message.text: { contains_word: [help, hello, hi] }
    actions:
      - reply_dm: Ask about our opening hours or a refund, or send an order number such as A12345.

  - id: person
    name: A person is always one word away
    interrupts: true
    triggers: [dm.received]
    conditions:
      - message.text: { contains_word: [human, person] }
    actions:
      - escalate: { queue: support, pause_bot: { for: 12h, until: resolved } }
      - reply_dm: A person takes over from here.

  - id: mention
    name: Lead public questions to messages
    triggers: [post.mentioned]
    actions:
      - reply_post: Thanks for asking! Send us a message, and we look into it.

  - id: welcome
    name: Welcome a follower, at most once in half a year
    triggers: [user.followed]
    cooldown: { per: sender, for: 180d }
    actions:
      - reply_dm: Thanks for the follow! Ask about our opening hours any time.
`;

const BOT = `import { defineBot } from "answerback";

const ORDERS: Record<string, string> = {
  A12345: "has left our warehouse",
  A67890: "waits for its payment",
};

/** Looks an order number up: a rule can't do that, so it is a bot. */
export default defineBot({
  name: "orders",
  on: {
    "dm.received": async (ctx) => {
      const number = /\\bA\\d{5}\\b/i.exec(ctx.event.message.text)?.[0].toUpperCase();
      if (number === undefined) return;
      const state = ORDERS[number];
      await ctx.reply(
        state === undefined ? \`We have no order \${number}.\` : \`Order \${number} \${state}.\`,
      );
    },
  },
});
`;

const TESTS = `# yaml-language-server: $schema=../config/schema/rule-tests.schema.json
#
# What the rules and the bot are to do: npx answerback test. Nothing is sent, and no time passes.
version: 1

rule_files: [questions.yaml]
bot_files: [../bots/orders.ts]

users:
  ana: { id: "1001", name: Ana }

tests:
  - name: the first rule that matches answers
    events:
      - { dm.received: { from: ana, text: "Hi, when are you open?" } }
    expect:
      - { rule: hours, reply_dm: { to: ana, text: { contains: "9:00 to 17:30" } } }
    expect_not_run:
      - { rule: help, because: group-already-matched }

  - name: the bot looks an order up
    events:
      - { dm.received: { from: ana, text: "where is A12345?" } }
    expect:
      - { bot: orders, reply_dm: { to: ana, text: "Order A12345 has left our warehouse." } }

  - name: who asks for a person is left to them
    events:
      - { dm.received: { from: ana, text: "a human please" } }
      - { at: 1h, dm.received: { from: ana, text: "hello? are you open?" } }
    expect:
      - { rule: person, escalate: { queue: support } }
      - { rule: person, reply_dm: { to: ana } }
    expect_not_run:
      - { at: 1h, rule: hours, because: paused }

  - name: who follows again is not welcomed again
    events:
      - { user.followed: { from: ana } }
      - { at: 30d, user.followed: { from: ana } }
    expect:
      - { at: 0s, rule: welcome, reply_dm: { to: ana } }
    expect_not_run:
      - { at: 30d, rule: welcome, because: cooldown }
`;

const LAB_TESTS = `test("questions are answered by a rule, orders by the bot", async () => {
  const ana = await lab.person("ana");
  assert.match((await ana.says("when are you open?"))[0] ?? "", /9:00 to 17:30/);
  assert.deepEqual(await ana.says("A12345?"), ["Order A12345 has left our warehouse."]);
});

test("who was handed over is left to a person, until half a day is over", async () => {
  const ben = await lab.person("ben");
  assert.deepEqual(await ben.says("a human please"), ["A person takes over from here."]);
  assert.deepEqual(await ben.says("are you open?"), []);
  await lab.advance("13h");
  assert.equal((await ben.says("are you open?")).length, 1);
});
`;

/** Template of a bot that answers questions by rules, and looks up orders by a bot module. */
export const FAQ: ProjectTemplate = {
  files: {
    "rules/questions.yaml": RULES,
    "rules/questions.test.yaml": TESTS,
    "bots/orders.ts": BOT,
    "test/bot.test.ts": labTest(LAB_TESTS),
  },
  suggestions: [
    ['send @ana "when are you open?"', "a rule answers"],
    ['send @ana "where is A12345?"', "the bot answers"],
    ['send @ben --post "@hello_bot are you open?"', "a mention gets a reply"],
  ],
};
