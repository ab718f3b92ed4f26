import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { failureReport } from "../../src/insight/tests/report.ts";
import { runFiles } from "../../src/insight/tests/run-files.ts";

const plain = (text: string): string => text;
const PAINT = { good: plain, bad: plain, faint: plain };
const bot = fileURLToPath(new URL("../fixtures/bots/asker.ts", import.meta.url));

it("a test states the platform's answers to bots by path, and expects their changes", async () => {
  const text = `version: 1
bot_files: [${JSON.stringify(bot)}]
users: {ann: {id: "1001", name: Ann}}
tests:
  - name: a look-up is answered
    http:
      - match: {url: /2/users/1001}
        respond: {json: {data: {id: "1001", username: ann, name: Ann, public_metrics: {following_count: 7}}}}
    events: [{dm.received: {from: ann, text: /who}}]
    expect: [{bot: asker, reply_dm: {to: ann, text: ann follows 7}}]
  - name: a refusal is one
    http: [{match: {url: /2/posts/1}, respond: {status: 404, json: {title: Not Found Error}}}]
    events: [{dm.received: {from: ann, text: /missing}}]
    expect: [{reply_dm: {text: PlatformError 404 true platform-refused}}]
  - name: what is changed is expected
    http:
      - {match: {url: /2/posts, method: POST}, respond: {status: 201, json: {data: {id: "5", text: once}}}}
    events: [{dm.received: {from: ann, text: /inside}}]
    advance_to: 2m
    expect:
      - {at: 0s, bot: asker, http: {method: POST, url: /2/posts, body: {contains: once}}}
      - {at: 1m, reply_dm: {text: made once as a post}}
  - name: what a bot sends at once is sent before it goes on
    events: [{dm.received: {from: ann, text: /now}}]
    expect: [{at: 0s, reply_dm: {text: now}}, {at: 0s, reply_dm: {text: sent now}}]
  - name: all parts of a long text are sent before it goes on
    events: [{dm.received: {from: ann, text: /long}}]
    expect: [{create_post: {text: {ends_with: word}}}, {create_post: {}}, {create_post: {}}, {reply_dm: {text: sent}}]
  - name: a hand-over is expected as of a rule, and silences the bot
    events:
      - {dm.received: {from: ann, text: /person now}}
      - {at: 1m, dm.received: {from: ann, text: /now}}
    expect:
      - {bot: asker, escalate: {queue: asker, priority: normal, note: "asked for a person: now"}}
      - {bot: asker, reply_dm: {text: somebody comes}}
  - name: nobody has said what is answered
    events: [{dm.received: {from: ann, text: /who}}]
`;
  const [outcome] = await runFiles([{ path: "asker.test.yaml", text }], { base: "/" });
  expect(outcome?.problems).toEqual([]);
  const reports = outcome?.tests.map((result) =>
    result.passed ? "passed" : failureReport(result, result.of, PAINT),
  );

  expect(reports?.slice(0, 6)).toEqual(reports?.slice(0, 6).map(() => "passed"));
  expect(reports?.[6]).toContain("no mock answers GET /2/users/1001: write in the test");
  expect(reports?.[6]).toContain(
    'http: [{match: {url: "/2/users/1001"}, respond: {status: 200, json: {}}}]',
  );
});
