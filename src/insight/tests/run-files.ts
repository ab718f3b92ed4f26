import type { Problem } from "../../config/problem.ts";
import { passes } from "./judge.ts";
import { benchOf } from "./bench-of.ts";
import { coverageOf, type RuleCoverage } from "./coverage.ts";
import { readTests } from "./read-tests.ts";
import type { RuleTestFile } from "./rule-test.ts";
import { runTest, type TestOutcome } from "./run-test.ts";

/** Path and text of a test file. */
export interface TestSource {
  /** Path of the test file, as the user entered it. */
  readonly path: string;
  readonly text: string;
}

/** Results of one file's tests. */
export interface FileOutcome {
  readonly file: string;
  /** Problems of the test file or its rules. If there are any, none of its tests ran. */
  readonly problems: readonly Problem[];
  readonly tests: readonly TestResult[];
  /** Names of all tests of the file, also of those that the filter leaves out. */
  readonly names: readonly string[];
  readonly coverage: readonly RuleCoverage[];
}

/** Comparison of one test's output with its expectations, with the duration and the file of the test. */
export interface TestResult extends TestOutcome {
  readonly passed: boolean;
  /** Duration of the test in real milliseconds. */
  readonly tookMs: number;
  readonly of: RuleTestFile;
}

/** Folder and filter for running the tests of files. */
export interface RunFilesOptions {
  /** Absolute folder from which the paths of test files start. */
  readonly base: string;
  /** Runs only tests whose file and name contain this text, in any case. */
  readonly filter?: string | undefined;
  readonly signal?: AbortSignal;
}

/** Runs the tests of each file, one after the other. */
export async function runFiles(
  sources: readonly TestSource[],
  options: RunFilesOptions,
): Promise<readonly FileOutcome[]> {
  const outcomes: FileOutcome[] = [];
  for (const source of sources) {
    if (options.signal?.aborted === true) break;
    outcomes.push(await runFile(source, options));
  }
  return outcomes;
}

async function runFile(
  { path, text }: TestSource,
  { base, filter = "", signal }: RunFilesOptions,
): Promise<FileOutcome> {
  const { file, problems } = readTests(text, path, base);
  const names = file?.tests.map(({ name }) => name) ?? [];
  const nothing = { file: path, problems, tests: [], names, coverage: [] };
  if (file === undefined) return nothing;
  const wanted = filter.toLowerCase();
  const tests = file.tests.filter(({ name }) => `${path} ${name}`.toLowerCase().includes(wanted));
  if (tests.length === 0) return nothing;
  const bench = await benchOf(file, base);
  if (!("ruleset" in bench)) return { ...nothing, problems: bench };
  try {
    const results: TestResult[] = [];
    for (const test of tests) {
      if (signal?.aborted === true) break;
      const began = performance.now();
      const outcome = await runTest(test, file, bench);
      const tookMs = performance.now() - began;
      results.push({ ...outcome, passed: passes(outcome.comparison), tookMs, of: file });
    }
    const courses = results.map(({ course }) => course.ran);
    const coverage = coverageOf(bench.ruleset.rules, courses);
    return { file: path, problems: [], tests: results, names, coverage };
  } finally {
    await bench.close();
  }
}
