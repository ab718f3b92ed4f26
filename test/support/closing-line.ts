import type { Reporter, TestModule } from "vitest/node";

/** Ends a run with the line `N passed, N failed`, so that scripts need to read nothing else. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    let passed = 0;
    let failed = unhandled.length;
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      passed += tests.filter((test) => test.result().state === "passed").length;
      failed += tests.filter((test) => test.result().state === "failed").length;
      if (!module.ok() && !tests.some((test) => test.result().state === "failed")) failed += 1;
    }
    process.once("exit", () => process.stdout.write(`\n${passed} passed, ${failed} failed\n`));
  }
}
