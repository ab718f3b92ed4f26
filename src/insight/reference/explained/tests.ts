import { example, type Example, type Explanation } from "../../../rules/example.ts";

const ASKED = "      - { dm.received: { from: ann, text: hours } }";
const ANSWERED = '      - { reply_dm: { to: ann, text: { contains: "nine" } } }';

/** Returns a rule, and a test file with one test of the rule. */
function test(expected: string, events = ASKED, beside = ""): Example {
  return {
    "rules/hours.yaml": example`
      version: 1
      rules:
        - id: hours
          triggers: [dm.received]
          conditions: [{ message.text: { contains_word: hours } }]
          actions: [{ reply_dm: From nine to five. }]
    `,
    "rules/hours.test.yaml": [
      "version: 1",
      "rule_files: [hours.yaml]",
      "start_time: 2026-03-02T09:00:00Z",
      'users: { ann: { id: "1001", name: Ann } }',
      "tests:",
      "  - name: hours are sent",
      ...(beside === "" ? [] : [beside]),
      "    events:",
      events,
      "    expect:",
      expected,
      "",
    ].join("\n"),
  };
}

/** Explanations of the problems that `answerback test` reports in test files. */
export const TESTS_EXPLAINED = {
  "empty-matcher": {
    why: "An empty map would match every value. To accept any value, leave the field out.",
    wrong: test(`      - { reply_dm: { to: ann, text: {} } }`),
    right: test(`      - { reply_dm: { to: ann } }`),
  },
  "no-trigger": {
    why: "The key of an event is its trigger, such as dm.received.",
    wrong: test(ANSWERED, `      - { at: 0s }`),
    right: test(ANSWERED),
  },
  "nothing-expected": {
    why: "An expectation needs an action, such as reply_dm, create_post, http or escalate.",
    wrong: test(`      - { at: 0s, rule: hours }`),
    right: test(ANSWERED),
  },
  "two-answers": {
    why: "A mocked service responds with JSON, with a text, or with a failure.",
    wrong: test(
      ANSWERED,
      ASKED,
      `    http: [{ match: { url: "https://shop.example.test/" }, respond: { json: { open: true }, body: open } }]`,
    ),
    right: test(
      ANSWERED,
      ASKED,
      `    http: [{ match: { url: "https://shop.example.test/" }, respond: { json: { open: true } } }]`,
    ),
  },
  "two-events": {
    why: "Each list item is one event, so that each has its own time.",
    wrong: test(
      ANSWERED,
      `      - { dm.received: { from: ann, text: hours }, user.followed: { from: ann } }`,
    ),
    right: test(
      ANSWERED,
      `      - { dm.received: { from: ann, text: hours } }\n      - { at: 1m, user.followed: { from: ann } }`,
    ),
  },
  "two-expectations": {
    why: "Each list item is one action, so that the test can report each separately.",
    wrong: test(`      - { reply_dm: { to: ann }, typing: { to: ann } }`),
    right: test(ANSWERED),
  },
  "unknown-user": {
    why: "The people of a test are listed under `users`, by the names that the test uses for them.",
    wrong: test(`      - { reply_dm: { to: ben } }`),
    right: test(`      - { reply_dm: { to: ann } }`),
  },
} as const satisfies Readonly<Record<string, Explanation>>;
