import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failureReport } from "../../src/insight/tests/report.ts";
import { runFiles, type TestResult } from "../../src/insight/tests/run-files.ts";
import { failuresOf } from "./support.ts";

const plain = (text: string): string => text;
const PAINT = { good: plain, bad: plain, faint: plain };
const troubled = fileURLToPath(new URL("../fixtures/bots/troubled.ts", import.meta.url));

const RULES = `version: 1
rules:
  - id: caller
    triggers: [dm.received]
    conditions: [{ message.text: call }]
    actions: [{ call: "./calls.ts#broken" }]
  - id: forgiving
    triggers: [dm.received]
    conditions: [{ message.text: forgive }]
    actions:
      - { call: "./calls.ts#broken", continue_on_error: true }
      - { call: "./calls.ts#broken", on_error: [{ log: "It is \${{ error.message }}." }] }
  - id: apologetic
    triggers: [dm.received]
    conditions: [{ message.text: apologize }]
    actions: [{ call: "./calls.ts#broken" }]
    on_error: [{ reply_dm: Sorry. }]
  - id: awkward
    triggers: [dm.received]
    conditions: [{ message.text: fail twice }]
    actions: [{ call: "./calls.ts#broken" }]
    on_error: [{ call: "./calls.ts#broken" }]
  - id: stopping
    triggers: [dm.received]
    conditions: [{ message.text: give up }]
    actions: [{ stop: { outcome: failed, reason: no more } }]
  - id: branching
    triggers: [dm.received]
    conditions: [{ message.text: branch }]
    actions: [{ parallel: { one: [{ call: "./calls.ts#broken" }], other: [{ log: x }] } }]
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "answerback-failed-runs-"));
  await writeFile(join(folder, "rules.yaml"), RULES);
  const code = 'export function broken() {\n  throw new Error("kaputt");\n}\n';
  await writeFile(join(folder, "calls.ts"), code);
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs tests of one message each. `more`: further keys of the test. */
async function resultsOf(
  files: string,
  cases: readonly { readonly text: string; readonly more?: string }[],
  path = relative("/", join(folder, "a.test.yaml")),
): Promise<readonly TestResult[]> {
  const tests = cases.map(
    ({ text, more = "expect: []" }) =>
      `- { name: "${text}", events: [{ dm.received: { from: ann, text: ${text} } }], ${more} }\n`,
  );
  const text = `version: 1\n${files}\nusers: { ann: { id: "1001" } }\ntests:\n${tests.join("")}`;
  const [outcome] = await runFiles([{ path, text }], { base: "/" });
  expect(outcome?.problems).toEqual([]);
  return outcome?.tests ?? [];
}

const reportOf = (one: TestResult): string =>
  one.passed ? "passed" : failureReport(one, one.of, PAINT);

const UNEXPECTED = "and no entry of expect_failed_runs fits: ";

describe("a run that fails", () => {
  const RULE_FILES = "rule_files: [rules.yaml]";

  const ALL = [
    { text: "call", difference: "a run of caller failed, ", error: "actions[0]: kaputt" },
    { text: "fail twice", difference: "a run of awkward failed, ", error: "on_error[0]: kaputt" },
    { text: "branch", difference: "a run of branching failed, ", error: "kaputt" },
  ];

  it("fails its test, and the report shows the error and its place", async () => {
    const reports = (await resultsOf(RULE_FILES, ALL)).map(reportOf);

    for (const [index, { difference, error }] of ALL.entries()) {
      const [line = ""] = reports[index]?.split("\n").filter((one) => /✗ a run/.test(one)) ?? [];
      expect(line).toContain(`✗ ${difference}${UNEXPECTED}`);
      expect(line).toContain(error);
      expect(reports[index]).toContain(`calls.ts#broken threw at ${join(folder, "calls.ts")}:2:9`);
    }
  });

  it("passes if the rule handles the error or states the failure itself", async () => {
    const results = await resultsOf(RULE_FILES, [
      { text: "forgive" },
      { text: "apologize", more: "expect: [{ reply_dm: { text: Sorry. } }]" },
      { text: "give up" },
    ]);

    expect(results.map(reportOf)).toEqual(["passed", "passed", "passed"]);
  });

  const EXPECTED = [
    { entry: "{ rule: caller }", difference: "passed" },
    { entry: "{ at: 0s, error: 'actions[0]: kaputt' }", difference: "passed" },
    { entry: "{ rule: caller, error: { contains: kaputt } }", difference: "passed" },
    { entry: "{ rule: stopping }", difference: "no run of stopping failed" },
    { entry: "{ rule: caller, at: 1s }", difference: "no run of caller failed at 1s" },
    {
      entry: "{ rule: caller, error: { contains: timeout } }",
      difference: "no run of caller failed with the error contains timeout",
    },
    { entry: "{ rule: caller }, { rule: caller }", difference: "no run of caller failed" },
  ];

  it("passes if it is expected, and else shows the expectation that nothing meets", async () => {
    const cases = EXPECTED.map(({ entry }) => ({
      text: "call",
      more: `expect_failed_runs: [${entry}]`,
    }));

    const results = await resultsOf(RULE_FILES, cases);

    for (const [index, { difference }] of EXPECTED.entries()) {
      expect(results[index] && reportOf(results[index])).toContain(difference);
    }
  });

  it("may be expected although the rule states the failure itself", async () => {
    const more = "expect_failed_runs: [{ rule: stopping, error: no more }]";

    const results = await resultsOf(RULE_FILES, [{ text: "give up", more }]);

    expect(results.map(reportOf)).toEqual(["passed"]);
  });

  it("fails its test if a handler of a bot throws, also after an answer", async () => {
    const answered = "expect: [{ reply_dm: { text: before the fault } }]";
    const throwing = "[{ bot: troubled, error: 'Error: on purpose' }]";

    const cases = [
      { text: "throw" },
      { text: "reply then throw", more: answered },
      { text: "throw", more: `expect_failed_runs: ${throwing}` },
    ];
    const botFiles = `bot_files: [${JSON.stringify(troubled)}]`;

    const results = await resultsOf(botFiles, cases, "a.test.yaml");

    const [thrown, late, expected] = results.map(reportOf);
    expect(thrown).toContain(`✗ a run of troubled failed, ${UNEXPECTED}Error: on purpose\n`);
    expect(thrown).toContain(`bot:troubled failed: Error: on purpose (at ${troubled}:`);
    expect(late).toContain(`✗ a run of troubled failed, ${UNEXPECTED}Error: after the reply\n`);
    expect(expected).toBe("passed");
  });

  it("is awaited until the time at which it is expected", async () => {
    const rules = `
    - id: asking
      triggers: [dm.received]
      actions: [{ ask: { text: Which?, within: 15m } }]
    `;
    const test = (expected: string): string => `
    - name: nobody answers
      events: [{ dm.received: { from: ann, text: hi } }]
      expect: [{ reply_dm: { text: Which? } }]
      expect_failed_runs: [${expected}]
    `;

    expect(await failuresOf(rules, test("{ at: 15m, rule: asking }"))).toEqual([]);
    expect(await failuresOf(rules, test(""))).toEqual([]);
    const [failure = ""] = await failuresOf(rules, test("{ rule: asking }"));
    expect(failure).toContain("no run of asking failed");
  });
});
