import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { renderProblems } from "../../config/render-problems.ts";
import { failureReport, type ReportPaint } from "../../insight/tests/report.ts";
import { mergedCoverage } from "../../insight/tests/coverage.ts";
import { type FileOutcome, runFiles } from "../../insight/tests/run-files.ts";
import { UsageError } from "../../errors.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import { makeFolder } from "../../system/files/created-folder.ts";
import { refuseUnsafe, replaceFile } from "../../system/files/own-file.ts";
import type { CommonFlags } from "../arguments/settings-flags.ts";
import type { Io } from "../io.ts";
import { counted } from "../../text/counted.ts";
import { wrapLines } from "../output/wrap.ts";
import { findTests } from "./find-tests.ts";
import { junitXml } from "./junit.ts";

/** Flags of `answerback test`. */
export interface TestFlags extends CommonFlags {
  readonly filter?: string;
  readonly coverage?: boolean;
  readonly junit?: string;
  readonly watch?: boolean;
}

/**
 * Runs the tests once and prints their results.
 *
 * @returns Whether all passed, and the absolute paths of the tested rules and bots.
 * @throws {UsageError} when there are no tests, none fits the filter, or a file can't be read.
 */
export async function testRules(
  io: Io,
  files: readonly string[],
  flags: TestFlags,
): Promise<{ readonly passed: boolean; readonly tested: readonly string[] }> {
  const { filter } = flags;
  const junit = flags.junit === undefined ? undefined : resolve(io.cwd, flags.junit);
  const sources = await findTests(io, files, flags);
  if (junit !== undefined) await makeRoomFor(junit);
  const outcomes = await runFiles(sources, { base: io.cwd, filter, signal: io.signal });
  if (filter !== undefined && !io.signal.aborted) requireTests(outcomes, filter);
  if (flags.json === true) printJson(io, outcomes);
  else print(io, outcomes, flags);
  if (junit !== undefined) {
    const report = (one: FileOutcome["tests"][number]) => failureReport(one, one.of, PLAIN);
    await replaceFile(junit, junitXml(outcomes, report), REPORT_MODE);
  }
  const passed = outcomes.every(
    ({ problems, tests }) => problems.length === 0 && tests.every((one) => one.passed),
  );
  const testFiles = outcomes.flatMap(({ tests }) => tests.map(({ of }) => of));
  return { passed, tested: testFiles.flatMap((of) => [...of.ruleFiles, ...of.botFiles]) };
}

/** Permission bits of a report: every user may read it. */
const REPORT_MODE = 0o644;

/**
 * Creates the folder of a report before the tests run, and checks that the report can be written there.
 *
 * @throws {UnsafeFileError} if the name belongs to something other than a regular file.
 */
async function makeRoomFor(file: string): Promise<void> {
  const folder = dirname(file);
  makeFolder(folder);
  await access(folder, constants.W_OK);
  refuseUnsafe(file, REPORT_MODE);
}

/** Refuses a filter that fits no test: with a misspelt filter, nothing would be tested, and nothing would fail. */
function requireTests(outcomes: readonly FileOutcome[], filter: string): void {
  if (outcomes.some(({ tests, problems }) => tests.length + problems.length > 0)) return;
  const names = outcomes.flatMap((one) => one.names);
  const byWord = new Map(names.flatMap((name) => name.split(/\s+/).map((word) => [word, name])));
  const near = didYouMean(filter, names) ?? byWord.get(didYouMean(filter, byWord.keys()) ?? "");
  throw new UsageError(`no test has ${JSON.stringify(filter)} in its name or file`, {
    hint:
      near === undefined
        ? `tests here: ${names.slice(0, MAX_NAMES).join("; ")}${names.length > MAX_NAMES ? "; …" : ""}`
        : `did you mean "${near}"?`,
  });
}

/** Number of test names that an error lists. */
const MAX_NAMES = 5;

const plain = (text: string): string => text;
const PLAIN: ReportPaint = { good: plain, bad: plain, faint: plain };

function print(io: Io, outcomes: readonly FileOutcome[], flags: TestFlags): void {
  const { green, red, yellow, dim } = io.dataColors;
  const paint = { good: green, bad: red, faint: dim };
  for (const { file, problems, tests } of outcomes) {
    if (problems.length > 0) {
      io.out(`${renderProblems(problems, { error: red, warning: yellow, faint: dim })}\n`);
    }
    if (tests.length > 0) io.out(`${dim(file)}\n`);
    for (const one of tests) {
      const failure = (): string => failureReport(one, one.of, paint, io.width);
      io.out(one.passed ? `${green("✓")} ${one.test.name}\n` : wrapLines(failure(), io.width));
    }
  }
  if (flags.coverage === true) printCoverage(io, outcomes);
  const all = outcomes.flatMap(({ tests }) => tests);
  const failed = all.filter(({ passed }) => !passed).length;
  const broken = outcomes.filter(({ problems }) => problems.length > 0).length;
  const unread = broken === 0 ? "" : `, ${counted(broken, "file")} not run`;
  io.out(`${all.length - failed} passed, ${failed} failed${unread}\n`);
}

function printCoverage(io: Io, outcomes: readonly FileOutcome[]): void {
  const { yellow, dim } = io.dataColors;
  const rules = mergedCoverage(outcomes.flatMap(({ coverage }) => coverage));
  const branches = rules.reduce((sum, rule) => sum + rule.branches, 0);
  const missed = rules.reduce((sum, rule) => sum + rule.missed.length, 0);
  const ran = rules.filter((rule) => rule.ran).length;
  io.out(
    `${dim("coverage")} ${ran} of ${counted(rules.length, "rule")} ran, ` +
      `${branches - missed} of ${counted(branches, "branch", "branches")}\n`,
  );
  for (const { rule, file, line, ran: hasRun, missed: missedBranches } of rules) {
    if (!hasRun) io.out(`  ${yellow("never ran")} ${rule} (${file}:${line})\n`);
    else for (const name of missedBranches) io.out(`  ${yellow("never ran")} ${rule} ${name}\n`);
  }
}

function printJson(io: Io, outcomes: readonly FileOutcome[]): void {
  for (const { file, problems, tests } of outcomes) {
    for (const problem of problems) io.out(`${JSON.stringify({ type: "problem", ...problem })}\n`);
    for (const one of tests) {
      const { name, line } = one.test;
      const report = one.passed ? {} : { report: failureReport(one, one.of, PLAIN) };
      const { passed, tookMs } = one;
      io.out(`${JSON.stringify({ type: "test", file, line, name, passed, tookMs, ...report })}\n`);
    }
  }
  for (const one of mergedCoverage(outcomes.flatMap(({ coverage }) => coverage))) {
    io.out(`${JSON.stringify({ type: "coverage", ...one })}\n`);
  }
}
