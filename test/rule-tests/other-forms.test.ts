import { expect, test } from "vitest";
import { readTests } from "../../src/insight/tests/read-tests.ts";

const TOP = 'version: 1\nrule_files: [faq.yaml]\nusers: { ann: { id: "1001" } }\n';
const EVENT = "{ at: 0s, dm.received: { from: ann, text: hi } }";

function helpsOf(text: string): readonly (string | undefined)[] {
  return readTests(text, "a.test.yaml", "/rules").problems.map(({ help }) => help);
}

test.each([
  ["expect: none", "write  expect: []"],
  ["expect: Hello there", "write  expect: [{ reply_dm: { text: Hello there } }]"],
  ["expect: [Hello]", "write  { reply_dm: { text: Hello } }"],
  ["expect: [{ reply: { text: hi } }]", 'did you mean "reply_dm"?'],
  ["expect: [{ send_message: { text: hi } }]", 'did you mean "reply_dm"?'],
  ["expect: [{ tweet: { text: hi } }]", 'did you mean "create_post"?'],
  ["expect: [{ after: 1m, reply_dm: { text: hi } }]", 'did you mean "at"?'],
  ["expect: [{ at: 0, reply_dm: { text: hi } }]", "write 0s"],
  ["expect: [{ reply_dm: { message: hi } }]", 'did you mean "text"?'],
  ["expect: [{ reply_dm: { recipient: ann } }]", 'did you mean "to"?'],
  ["expect: [{ reply_dm: { to: '1001' } }]", 'did you mean "ann"?'],
  ["expect: [{ reply_dm: { text: { regex: hi } } }]", 'did you mean "matches"?'],
  ["expect: [{ reply_dm: { text: { includes: hi } } }]", 'did you mean "contains"?'],
  [
    "expect: [{ reply_dm: { text: /hi|hello/i } }]",
    'write  text: { matches: "hi|hello" },  or  { equals: "/hi|hello/i" }',
  ],
  ["then: []", 'did you mean "expect"?'],
  ["assert: []", 'did you mean "expect"?'],
  ["expect_nothing: true", "write  expect: []"],
  ["expect_not_run: faq", "write  expect_not_run: [{ rule: faq }]"],
  ["expect_not_run: [faq]", "write  { rule: faq }"],
  ["expect_not_run: [{ rule: faq, reason: cooldown }]", 'did you mean "because"?'],
  ["expect_open_runs: 0", "write  expect_open_runs: []"],
  ["expect_open_runs: none", "write  expect_open_runs: []"],
  ["expect_open_runs: [order-status]", "write  { rule: order-status }"],
  ["expect_open_runs: [{ rule: faq, at: thanks }]", 'did you mean "waiting_at"?'],
  ["advance: 1h", 'did you mean "advance_to"?'],
  ["advance_to: 2026-03-03T09:00:00Z", "write the time since start_time, as 10m"],
  ["skip: true", "remove it, and choose tests by  --filter TEXT"],
  ["state: { score: 1 }", "remove it: state is what earlier events of the test have set"],
  ["secrets: { KEY: a }", 'move it to the top of the file, beside "tests"'],
  ["mocks: []", 'did you mean "http"?'],
  ["http: [{ match: https://a.example/b, respond: {} }]", 'write  { url: "https://a.example/b" }'],
  ["http: [{ match: { url: a }, respond: 503 }]", "write  { status: 503 }"],
  [
    "http: [{ match: { url: a }, respond: { body: { a: 1 } } }]",
    "write it as  json:  in place of body",
  ],
  ["http: [{ match: { url: a }, returns: {} }]", 'did you mean "respond"?'],
])("a test with %s gets the help: %s", (line, help) => {
  expect(helpsOf(`${TOP}tests:\n  - name: a\n    events: [${EVENT}]\n    ${line}\n`)).toContain(
    help,
  );
});

test.each([
  ["{ at: 0, dm.received: { from: ann, text: hi } }", "write 0s"],
  [
    "{ at: 2026-03-02T09:00:00Z, dm.received: { from: ann, text: hi } }",
    "write the time since start_time, as 10m",
  ],
  ["{ dm.received: Hello }", "write  { from: ann, text: Hello }"],
  ["{ user.followed: ann }", "write  { from: ann }"],
  ["{ link.lost: 2m }", "write  { for: 2m }"],
  ["{ dm: { from: ann, text: hi } }", 'did you mean "dm.received"?'],
  ["{ message: { from: ann, text: hi } }", 'did you mean "dm.received"?'],
  ["{ mention: { from: ann, text: hi } }", 'did you mean "post.mentioned"?'],
  ["{ follow: { from: ann } }", 'did you mean "user.followed"?'],
  ["{ dm.received: { user: ann, text: hi } }", 'did you mean "from"?'],
  ["{ dm.received: { from: ann, message: hi } }", 'did you mean "text"?'],
  ["{ dm.received: { text: hi } }", "add  from: ann"],
  ["{ dm.received: { from: '1001', text: hi } }", 'did you mean "ann"?'],
  ["{ wait: 5m }", "remove it, and give the next event its time since the start:  at: 5m"],
  ["hello", "write  { dm.received: { from: ann, text: hello } }"],
  ["{ type: dm.received, from: ann, text: hi }", "write  { dm.received: { from: ann, text: hi } }"],
])("the event %s gets the help: %s", (event, help) => {
  expect(helpsOf(`${TOP}tests:\n  - name: a\n    events: [${event}]\n`)).toContain(help);
});

test.each([
  ["rules: [a.yaml]", 'did you mean "rule_files"?'],
  ["now: 2026-03-02T09:00:00Z", 'did you mean "start_time"?'],
  ["start_time: 2026-03-02", "write 2026-03-02T00:00:00Z"],
  ["start_time: 2026-03-02 09:30", "write 2026-03-02T09:30:00Z"],
  ["start_time: monday", "write date, time and zone, as 2026-03-02T09:00:00Z"],
  ["limits: { replies: 3 }", "write 3 in 10m"],
  ["opt_out: [stop]", "write  opt_out: { words: [stop] }"],
  ["quiet_hours: { zone: UTC, times: [10pm-7am] }", 'write "22:00-07:00"'],
])("a file with %s gets the help: %s", (line, help) => {
  expect(helpsOf(`${TOP}${line}\ntests: [{ name: a, events: [${EVENT}] }]\n`)).toEqual([help]);
});

test.each([
  ["[ann, '@bob']", 'write  users: { ann: { id: "1001" }, bob: { id: "1002" } }'],
  ["{ ann: '17' }", 'write  { id: "17" }'],
  ["{ ann: Ann }", 'write  { id: "1001", name: Ann }'],
  ["{ ann: { id: '1', followers: 12 } }", 'did you mean "followers_count"?'],
  ["{ ann: { id: '1', created_at: 2020-01-02 } }", "write 2020-01-02T00:00:00Z"],
])("the users %s get the help: %s", (users, help) => {
  const text = `version: 1\nrule_files: [a.yaml]\nusers: ${users}\ntests: [{ name: a, events: [${EVENT}] }]\n`;

  expect(helpsOf(text)).toEqual([help]);
});

test("a path between slashes is the address of a request", () => {
  const mock = "http: [{ match: { url: /2/users/1001/ }, respond: { json: {} } }]";

  expect(helpsOf(`${TOP}tests:\n  - name: a\n    events: [${EVENT}]\n    ${mock}\n`)).toEqual([]);
});
