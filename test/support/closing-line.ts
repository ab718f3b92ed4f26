import type { Reporter, TestCase, TestModule, Vitest } from "vitest/node";

/** Projects of `vitest.config.ts` that `npm test` leaves out. */
const SLOW_PROJECTS = new Set(["slow", "apart"]);

/** Checks and tests outside the suite, each with its command. */
const BESIDE = [
  "types, lint, format, imports and unused code (npm run -s check)",
  "kills at all points and moments, planted bugs, hours of faults, and Python clients (npm run -s test:long)",
  "other versions of Node (npm run -s test:nodes)",
];

/**
 * Ends the output of a test run with the line `N passed, N failed`, so that scripts need to read nothing else. Before
 * this line, it prints one line for each reason why tests were skipped, with their number.
 */
export default class ClosingLine implements Reporter {
  #hasSlow = true;

  onInit({ projects }: Vitest): void {
    this.#hasSlow = projects.some(({ name }) => SLOW_PROJECTS.has(name));
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    let passed = 0;
    let failed = unhandled.length;
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      passed += tests.filter((test) => test.result().state === "passed").length;
      failed += tests.filter((test) => test.result().state === "failed").length;
      if (!module.ok() && !tests.some((test) => test.result().state === "failed")) failed += 1;
    }
    const slow = this.#hasSlow ? [] : ["slow tests (npm run -s test:slow)"];
    const beside = process.env["npm_lifecycle_event"] === "test" ? [...slow, ...BESIDE] : [];
    const lines = [...notRun(modules), ...beside].map((line) => `not run: ${line}\n`);
    process.once("exit", (code) => {
      // The run failed for another reason than a test, such as a process left behind.
      if (failed === 0 && (process.exitCode ?? code) !== 0) failed = 1;
      process.stdout.write(`\n${lines.join("")}${passed} passed, ${failed} failed\n`);
    });
  }
}

interface LeftOut {
  readonly files: Set<TestModule>;
  /** Files in which only some of the tests were skipped for this reason. */
  readonly mixed: Set<TestModule>;
  tests: number;
}

/** Counts the skipped tests by note (the reason): in files if all tests of each file were skipped, else in tests. */
function notRun(modules: readonly TestModule[]): readonly string[] {
  const leftOutByNote = new Map<string, LeftOut>();
  for (const module of modules) {
    const notes = [...module.children.allTests()].map(noteOf);
    for (const note of notes) {
      if (note === undefined) continue;
      const leftOut = leftOutByNote.get(note) ?? { files: new Set(), mixed: new Set(), tests: 0 };
      leftOut.tests += 1;
      leftOut.files.add(module);
      if (notes.some((other) => other !== note)) leftOut.mixed.add(module);
      leftOutByNote.set(note, leftOut);
    }
  }
  return [...leftOutByNote].map(([note, { files, mixed, tests }]) =>
    mixed.size === 0 ? counted(files.size, "file", note) : counted(tests, "test", note),
  );
}

function noteOf(test: TestCase): string | undefined {
  const result = test.result();
  return result.state === "skipped" ? (test.meta().notRun ?? result.note) : undefined;
}

/** Formats a count and a note: `2 files need a browser`, or `1 file needs a browser`. */
function counted(count: number, noun: string, note: string): string {
  return count === 1
    ? `1 ${noun} ${note.replace(/^need /u, "needs ")}`
    : `${count} ${noun}s ${note}`;
}
