import { readFile } from "node:fs/promises";
import { expect, it, test } from "vitest";
import { failureReport } from "../../src/insight/tests/report.ts";
import type { FileOutcome } from "../../src/insight/tests/run-files.ts";
import { runTests } from "./support.ts";

const plain = (text: string): string => text;
const PAINT = { good: plain, bad: plain, faint: plain };

function reports({ tests, problems }: FileOutcome): string[] {
  return [
    ...problems.map(({ code, message }) => `${code}: ${message}`),
    ...tests.map((one) => (one.passed ? "passed" : failureReport(one, one.of, PAINT))),
  ];
}

const TELL = `
  - id: message
    triggers: [dm.received]
    actions: [{reply_dm: ".\${{ message.hashtags }} | \${{ message.urls }} | \${{ message.mentions }}."}]
  - id: post
    triggers: [post.mentioned, post.replied, post.quoted]
    actions: [{reply_dm: "\${{ post.text }} | \${{ post.hashtags }} | \${{ post.urls }} | \${{ post.mentions }}."}]
`;

test.each([
  ["dm.received", "big #SALE now", ".SALE |  | ."],
  [
    "dm.received",
    "#grün, #日本 and #1 see example.com or https://a.example/b?c=1",
    ".grün, 日本 | example.com, https://a.example/b?c=1 | .",
  ],
  ["dm.received", "ask @Ben or @nobody, mail ann@ben.example", ". |  | Ben."],
  ["dm.received", "a&b #x_1 $TEA", ".x_1 |  | ."],
  ["post.mentioned", "@bot hi @ben #sale", "hi @ben #sale | sale |  | bot, ben."],
  ["post.replied", "yes @ben example.com", "yes @ben example.com |  | example.com | ben."],
  ["post.quoted", "look #sale", "look #sale | sale |  | ."],
])("%s with %s has what the platform finds in it", async (trigger, text, expected) => {
  const outcome = await runTests(
    TELL,
    `
    - name: entities
      events: [{${trigger}: {from: ann, text: ${JSON.stringify(text)}}}]
      expect: [{reply_dm: {to: ann, text: ${JSON.stringify(expected)}}}]
    `,
  );
  expect(reports(outcome)).toEqual(["passed"]);
});

it("has the tags and links that are written beside a text instead of those in the text", async () => {
  const outcome = await runTests(
    TELL,
    `
    - name: written
      events: [{dm.received: {from: ann, text: "see #a", hashtags: [b], urls: []}}]
      expect: [{reply_dm: {to: ann, text: ".b |  | ."}}]
    `,
  );
  expect(reports(outcome)).toEqual(["passed"]);
});

const HEAD = `version: 1
rule_files: [rules.yaml]
account: {id: "1849003112750628864", username: kiosk_bot}
users: {}
`;

/** Runs a test with the platform's delivery `name`, which expects the message `expected`. Returns the reports. */
async function recorded(name: string, expected: string, head = HEAD): Promise<string[]> {
  const path = new URL(`../fixtures/live-shapes/${name}.json`, import.meta.url);
  const delivery = JSON.stringify(JSON.stringify(JSON.parse(await readFile(path, "utf8"))));
  const tests = `
    - name: recorded
      events: [{at: 1m, delivery: ${delivery}}]
      expect: [{at: 1m, reply_dm: {text: ${JSON.stringify(expected)}}}]
  `;
  return reports(await runTests(TELL, tests, head));
}

test.each([
  ["mention", "do you open on Sunday? |  |  | kiosk_bot."],
  ["reply-typed-handle", "and on Monday? |  |  | kiosk_bot."],
])("an event may be a delivery as the platform sent it: %s", async (name, expected) => {
  for (const dialect of ["classic.tweet", "classic.post", "activity.tweet", "activity.post"]) {
    expect(await recorded(`${name}.${dialect}`, expected), dialect).toEqual(["passed"]);
  }
});

test.each([
  [
    "delivery: {a: 1}",
    "no-delivery: this is not a delivery of the platform: no known event key among: a",
  ],
  [
    "delivery: '{'",
    "no-delivery: this is not a delivery of the platform: no known event key among: none",
  ],
  [
    'delivery: {for_user_id: "7", follow_events: [{type: follow, created_timestamp: "1", source: {id: "8"}, target: {id: "7"}}]}',
    "other-account: this delivery is for the account 7, and the tests are of 1849003112750628864",
  ],
  [
    "delivery: {a: 1}, dm.received: {from: ann, text: hi}",
    'two-events: "delivery" replaces the event: an item has one of the two',
  ],
])("%s is refused", async (event, problem) => {
  const outcome = await runTests(TELL, `\n    - {name: x, events: [{${event}}]}\n`, HEAD);
  expect(reports(outcome)).toEqual([problem]);
});
