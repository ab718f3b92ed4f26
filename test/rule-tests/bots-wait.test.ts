import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { failureReport } from "../../src/insight/tests/report.ts";
import { runFiles } from "../../src/insight/tests/run-files.ts";

const plain = (text: string): string => text;
const PAINT = { good: plain, bad: plain, faint: plain };
const bot = fileURLToPath(new URL("../fixtures/bots/sleepy.ts", import.meta.url));

const heard = (text: string): string => `events: [{ dm.received: { from: ann, text: ${text} } }]`;

const CASES: readonly { test: string; report: readonly string[]; why: string }[] = [
  {
    why: "time goes on through a sleep",
    test: `${heard("/later")}, expect: [{ reply_dm: { text: now } }]`,
    report: [
      '20m   bot:sleepy reply_dm to ann, text "later"',
      "0s       bot:sleepy waits at a while (sleep)",
    ],
  },
  {
    why: "time goes on through a typing pause",
    test: `${heard("/typed")}, expect: [{ at: 3s, reply_dm: { text: typed } }], expect_open_runs: []`,
    report: ["passed"],
  },
  {
    why: "time does not go on through a question, as in rules",
    test: `${heard("/ask")}, expect: [{ reply_dm: { text: Which size? } }], expect_open_runs: []`,
    report: [
      "a run of sleepy is still open: it waits at size",
      "0s       bot:sleepy waits at size (ask)",
    ],
  },
  {
    why: "time goes on through a sleep that ends before the question",
    test: `${heard("/both")}, expect: [{ reply_dm: {} }, { at: 10m, reply_dm: { text: Still there? } }],
      expect_open_runs: [{ bot: sleepy, waiting_at: size }]`,
    report: ["passed"],
  },
  {
    why: "the time of a question can be expected to end",
    test: `${heard("/ask")}, expect: [{ reply_dm: {} }, { at: 15m, reply_dm: { text: too late } }]`,
    report: ["passed"],
  },
  {
    why: "time goes on to advance_to only",
    test: `${heard("/daily")}, advance_to: 50h, expect_open_runs: [{ bot: sleepy, waiting_at: day 3 }]`,
    report: ["passed"],
  },
];

it("a test goes on until a bot waits for no time any more", async () => {
  const tests = CASES.map(({ why, test }) => `- { name: "${why}", ${test} }\n`);
  const text = `version: 1\nbot_files: [${JSON.stringify(bot)}]\nusers: { ann: { id: "1001" } }\ntests:\n${tests.join("")}`;
  const [outcome] = await runFiles([{ path: "sleepy.test.yaml", text }], { base: "/" });
  expect(outcome?.problems).toEqual([]);

  const reports = outcome?.tests.map((result) =>
    result.passed ? "passed" : failureReport(result, result.of, PAINT),
  );

  for (const [index, { report }] of CASES.entries()) {
    for (const line of report) expect(reports?.[index]).toContain(line);
  }
});
