import { eventInWords } from "../words/event.ts";
import type { Happening, Sent } from "./course.ts";
import type { Comparison } from "./judge.ts";
import { seconds, type Expectation, type RuleTestFile } from "./rule-test.ts";
import type { TestOutcome } from "./run-test.ts";
import { verdictInWords } from "../words/verdict.ts";

/** Functions that colour the parts of a report. */
export interface ReportPaint {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly faint: (text: string) => string;
}

/** The people of a test file, and the virtual start time of its tests. */
type Names = Pick<RuleTestFile, "people" | "startAt">;

/**
 * Returns the report of a failed test: expected and actual output side by side, then the course of the test in words.
 *
 * @param width Columns of the terminal. If there are too few for two columns, actual output is shown below the expected
 * output.
 */
export function failureReport(
  { test, comparison, course }: TestOutcome,
  file: Names,
  paint: ReportPaint,
  width = Infinity,
): string {
  const lines = [
    ...pairLines(comparison, file, paint, width),
    ...comparison.others.map(({ text }) => `  ${paint.bad("✗")} ${text}`),
    "",
    `  ${paint.faint("what happened")}`,
    ...course.happenings.flatMap((one) => happeningLines(one, file)).map((line) => `    ${line}`),
  ];
  return `${paint.bad("✗")} ${test.name}\n${lines.join("\n")}\n`;
}

/** Returns one line for an expected output: `2s  faq-hours  reply_dm  to ann`. */
export function expectedLine({ at, owner, word, fields }: Expectation): string {
  const what = fields.map(({ name, wanted }) => `${name} ${wanted}`).join(", ");
  return columns([at === undefined ? "" : seconds(at), nameOf(owner), word, what]);
}

/** Returns one line for an actual output, in the columns of {@link expectedLine}. */
export function sentLine({ at, owner, word, fields }: Sent, { people, startAt }: Names): string {
  const what = Object.entries(fields).map(([name, value]) => {
    const person = [...people].find(([, { id }]) => name === "to" && id === value)?.[0];
    return `${name} ${person ?? JSON.stringify(value)}`;
  });
  return columns([seconds(at - startAt), nameOf(owner), word, what.join(", ")]);
}

function pairLines(
  { pairs }: Comparison,
  file: Names,
  paint: ReportPaint,
  width: number,
): readonly string[] {
  const rows = pairs.map(({ expected, actual, fits }) => ({
    left: expected === undefined ? "(not expected)" : expectedLine(expected),
    right: actual === undefined ? "(did not go out)" : sentLine(actual, file),
    mark: fits ? paint.good("✓") : paint.bad("✗"),
  }));
  if (rows.length === 0) return [];
  const first = Math.min(60, Math.max(8, ...rows.map((row) => row.left.length)));
  const needed = Math.max(...rows.map(({ right }) => `  ✗ ${" ".repeat(first)} | ${right}`.length));
  if (needed > width) {
    return rows.flatMap(({ left, right, mark }) => [
      `  ${mark} ${paint.faint("expected")} ${left.trim()}`,
      `    ${paint.faint("actual")}   ${right.trim()}`,
    ]);
  }
  return [
    `    ${paint.faint(`${"expected".padEnd(first)} | actual`)}`,
    ...rows.map(({ left, right, mark }) => `  ${mark} ${left.padEnd(first)} | ${right}`),
  ];
}

function happeningLines(one: Happening, { startAt, people }: Names): readonly string[] {
  const at = seconds(one.at - startAt).padEnd(6);
  switch (one.kind) {
    case "event": {
      const verdicts = one.verdicts.map((verdict) => `         ${verdictInWords(verdict)}`);
      const reason = one.reason === undefined ? [] : [`         no rule is asked: ${one.reason}`];
      return [`${at} ${eventInWords(one.event)}`, ...reason, ...verdicts];
    }
    case "step":
      return [`${at}   ${nameOf(one.owner)} ${one.text}`];
    case "sent": {
      const { answer } = one.sent;
      const refused = answer?.reason === undefined ? "" : `, refused: ${answer.reason}`;
      const does = DOES[one.sent.word] ?? "sends";
      return [`${at}   ${does} ${sentLine(one.sent, { startAt, people }).trim()}${refused}`];
    }
    case "fault":
      return [`${at}   ${one.text}`];
  }
}

/** Verbs that the report uses instead of "sends" for output that no person receives. */
const DOES: Readonly<Record<string, string>> = { http: "asks", escalate: "hands over" };

function nameOf(owner: string | undefined): string {
  return owner?.replace(/^rule:/, "") ?? "";
}

function columns(parts: readonly string[]): string {
  const [at = "", owner = "", word = "", what = ""] = parts;
  return [at.padEnd(5), owner, word, what]
    .filter((part) => part !== "")
    .join(" ")
    .trimEnd();
}
