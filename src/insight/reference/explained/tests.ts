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
      "  - name: hours are told",
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
    why: "It would fit whatever goes out; who means that leaves the field out.",
    wrong: test(`      - { reply_dm: { to: ann, text: {} } }`),
    right: test(`      - { reply_dm: { to: ann } }`),
  },
  "no-trigger": {
    why: "An event is told by the trigger that it sets off.",
    wrong: test(ANSWERED, `      - { at: 0s }`),
    right: test(ANSWERED),
  },
  "nothing-expected": {
    why: "An expectation names what goes out: an answer, a post, a request, a line for a person.",
    wrong: test(`      - { at: 0s, rule: hours }`),
    right: test(ANSWERED),
  },
  "two-answers": {
    why: "A service answers with JSON, with a text, or not at all: one of them.",
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
    why: "One item is one event, so that each has its own time.",
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
    why: "One item is one thing that goes out, so that each can be found or missed by itself.",
    wrong: test(`      - { reply_dm: { to: ann }, typing: { to: ann } }`),
    right: test(ANSWERED),
  },
  "unknown-user": {
    why: "People of a test stand under users, by the names that the test calls them.",
    wrong: test(`      - { reply_dm: { to: ben } }`),
    right: test(`      - { reply_dm: { to: ann } }`),
  },
} as const satisfies Readonly<Record<string, Explanation>>;
