import { labTest, type ProjectTemplate } from "./project-template.ts";

const RULES = `# yaml-language-server: $schema=../config/schema/rules.schema.json
#
# A conversation: the bot asks, and goes on where it was, also after a restart.
version: 1

rules:
  - id: table
    name: Book a table
    triggers: [dm.received]
    conditions:
      - message.text: { contains_word: [book, table, reservation] }
    mode: restart # who asks again begins again
    actions:
      - id: people
        ask:
          text: A table for how many?
          expect: { matches: '\\b(?P<count>[1-9]|1[0-9])\\b' }
          retries: 2
          reprompt: Please write a number, such as 4.
          within: 15m
          on_timeout:
            - reply_dm: Write "table" again when you know.
            - stop: nobody answered
          on_invalid:
            - escalate: { queue: reservations, note: could not read the number of people }
            - reply_dm: A person gets back to you.
            - stop: no number
      - id: day
        ask:
          text: For which day?
          expect: { matches: '\\S' } # a picture has no text
          retries: 2
          reprompt: Please write the day, such as Friday.
          within: 15m
          on_timeout: [{ stop: nobody answered }]
      - set: { state.sender.table: "\${{ steps.people.captures.count }} on \${{ steps.day.text }}" }
      - reply_dm: A table for \${{ steps.people.captures.count }}, \${{ steps.day.text }}. See you!

  - id: person
    name: A person is always one word away, also in the middle of a question
    interrupts: true
    triggers: [dm.received]
    conditions:
      - message.text: { contains_word: [human, person] }
    actions:
      - escalate: { queue: reservations, pause_bot: { for: 12h, until: resolved } }
      - reply_dm: A person takes over from here.

  - id: fallback
    name: Nothing matched
    fallback: true
    triggers: [dm.received]
    cooldown: { per: sender, for: 1h }
    actions:
      - reply_dm: Write "table" to book one.
`;

const TESTS = `# yaml-language-server: $schema=../config/schema/rule-tests.schema.json
#
# What the rules are to do: npx answerback test. Nothing is sent, and no time passes.
version: 1

rule_files: [booking.yaml]

users:
  ana: { id: "1001", name: Ana }

tests:
  - name: a table is booked in two questions
    events:
      - { at: 0s, dm.received: { from: ana, text: "I'd like a table" } }
      - { at: 10s, dm.received: { from: ana, text: "a few" } }
      - { at: 20s, dm.received: { from: ana, text: "4 of us" } }
      - { at: 25s, dm.received: { from: ana, text: "" } }
      - { at: 30s, dm.received: { from: ana, text: "Friday" } }
    expect:
      - { at: 0s, rule: table, reply_dm: { text: "A table for how many?" } }
      - { at: 10s, reply_dm: { text: { contains: "such as 4" } } }
      - { at: 20s, reply_dm: { text: "For which day?" } }
      - { at: 25s, reply_dm: { text: { contains: "such as Friday" } } }
      - { at: 30s, reply_dm: { text: "A table for 4, Friday. See you!" } }
    expect_open_runs: []

  - name: nobody is waited for longer than a quarter of an hour
    events:
      - { at: 0s, dm.received: { from: ana, text: "table" } }
    advance_to: 16m
    expect:
      - { at: 0s, reply_dm: {} }
      - { at: 15m, reply_dm: { text: { contains: "again when you know" } } }
    expect_open_runs: []

  - name: a person takes over in the middle of a question
    events:
      - { at: 0s, dm.received: { from: ana, text: "table" } }
      - { at: 10s, dm.received: { from: ana, text: "a human please" } }
    expect:
      - { at: 0s, reply_dm: {} }
      - { at: 10s, rule: person, escalate: { queue: reservations } }
      - { at: 10s, rule: person, reply_dm: {} }
`;

const LAB_TESTS = `test("a conversation goes on where it was when the bot's process is killed", async () => {
  const ana = await lab.person("ana");
  assert.deepEqual(await ana.says("a table please"), ["A table for how many?"]);
  await lab.restart({ kill: true });
  assert.deepEqual(await ana.says("4"), ["For which day?"]);
  assert.deepEqual(await ana.says("Friday"), ["A table for 4, Friday. See you!"]);
});
`;

/** Template of a bot that books tables in a conversation. */
export const CONVERSATION: ProjectTemplate = {
  files: {
    "rules/booking.yaml": RULES,
    "rules/booking.test.yaml": TESTS,
    "test/bot.test.ts": labTest(LAB_TESTS),
  },
  suggestions: [
    ['send @ana "a table please"', "a question"],
    ['send @ana "4"', "the next one"],
    ['send @ana "Friday"', "the table is booked"],
  ],
};
