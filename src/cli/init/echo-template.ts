import { labTest, type ProjectTemplate } from "./project-template.ts";

const RULES = `# yaml-language-server: $schema=../config/schema/rules.schema.json
#
# Rules answer on their own. The first one that matches a message answers it.
version: 1

rules:
  - id: hello
    name: Say hello back
    triggers: [dm.received]
    conditions:
      - message.text: { contains_word: [hello, hi, hey] }
    actions:
      - reply_dm:
          text: |
            Hello \${{ sender.name }}! Write me anything, and I repeat it.

  - id: mention
    name: Thanks for a mention
    triggers: [post.mentioned]
    actions:
      - like
      - reply_post: Thanks for the mention!

  - id: welcome
    name: Welcome a follower, at most once in half a year
    triggers: [user.followed]
    cooldown: { per: sender, for: 180d }
    actions:
      - reply_dm: Thanks for the follow! Say hello.
`;

const BOT = `import { defineBot } from "answerback";

/** Repeats the text of each message that no rule has answered. */
export default defineBot({
  name: "echo",
  on: {
    "dm.received": async (ctx) => {
      const { text } = ctx.event.message;
      if (ctx.answered || text === "") return; // a picture may come without a text
      await ctx.reply(\`You said: \${text}\`);
    },
  },
});
`;

const TESTS = `# yaml-language-server: $schema=../config/schema/rule-tests.schema.json
#
# What the rules and the bot are to do: npx answerback test. Nothing is sent, and no time passes.
version: 1

rule_files: [hello.yaml]
bot_files: [../bots/echo.ts]

users:
  ana: { id: "1001", name: Ana }

tests:
  - name: a greeting is answered by the rule alone
    events:
      - { dm.received: { from: ana, text: "Hello!" } }
    expect:
      - { rule: hello, reply_dm: { to: ana, text: { starts_with: "Hello Ana!" } } }

  - name: the bot repeats everything else
    events:
      - { dm.received: { from: ana, text: "nice weather" } }
    expect:
      - { bot: echo, reply_dm: { to: ana, text: "You said: nice weather" } }
`;

const LAB_TESTS = `test("a rule greets, and the bot repeats everything else", async () => {
  const ana = await lab.person("ana");
  assert.match((await ana.says("hello"))[0] ?? "", /^Hello ana!/);
  assert.deepEqual(await ana.says("nice weather"), ["You said: nice weather"]);
});
`;

/** Template of a bot that greets by a rule, and repeats everything else by a bot module. */
export const ECHO: ProjectTemplate = {
  files: {
    "rules/hello.yaml": RULES,
    "rules/hello.test.yaml": TESTS,
    "bots/echo.ts": BOT,
    "test/bot.test.ts": labTest(LAB_TESTS),
  },
  suggestions: [
    ['send @ana "hello"', "a rule answers"],
    ['send @ana "nice weather"', "the bot answers"],
    ['send @ben --post "@hello_bot good morning"', "a mention gets a like and a reply"],
  ],
};
