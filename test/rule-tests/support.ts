import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { failureReport } from "../../src/insight/tests/report.ts";
import { type FileOutcome, runFiles } from "../../src/insight/tests/run-files.ts";

const HEAD = `version: 1
rule_files: [rules.yaml]
start_time: 2026-03-02T09:00:00Z
users:
  ann: {id: "1001", name: Ann, followers_count: 12}
  ben: {id: "1002", name: Ben}
`;

export const HOURS = `
  - id: hours
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: hours}}]
    cooldown: {per: sender, for: 10m}
    actions:
      - delay: 2s
      - reply_dm: We're open 9:00-17:30.
`;
export const FALLBACK = `
  - id: fallback
    fallback: true
    triggers: [dm.received]
    actions: [{reply_dm: Sorry?}]
`;

/**
 * Runs `tests`, the list of a test file, with `rules`, the list of a rule file.
 *
 * @param above Lines of the rule file above its rules.
 */
export async function runTests(
  rules: string,
  tests: string,
  head = HEAD,
  above = "",
): Promise<FileOutcome> {
  const base = await mkdtemp(join(tmpdir(), "answerback-rule-tests-"));
  try {
    await writeFile(join(base, "rules.yaml"), `version: 1\n${above}rules:\n${indented(rules)}`);
    const text = `${head}tests:\n${indented(tests)}`;
    const [outcome] = await runFiles([{ path: "faq.test.yaml", text }], { base });
    if (outcome === undefined) throw new Error("no outcome");
    return outcome;
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

const plain = (text: string): string => text;
const PAINT = { good: plain, bad: plain, faint: plain };

/** Returns, for each test, `passed` or the report of its failure, at this width of the terminal. */
export function reports({ tests }: FileOutcome, width?: number): string[] {
  return tests.map((one) => (one.passed ? "passed" : failureReport(one, one.of, PAINT, width)));
}

/** Returns the reports of failed tests in `tests`; parameters are those of {@link runTests}. */
export async function failuresOf(
  rules: string,
  tests: string,
  above?: string,
  head?: string,
): Promise<readonly string[]> {
  const outcome = await runTests(rules, tests, head, above);
  expect(outcome.problems).toEqual([]);
  return outcome.tests.flatMap((one) => (one.passed ? [] : [failureReport(one, one.of, PAINT)]));
}

function indented(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const margin = Math.min(...lines.map((line) => line.search(/\S/)));
  return lines.map((line) => `  ${line.slice(margin)}\n`).join("");
}
