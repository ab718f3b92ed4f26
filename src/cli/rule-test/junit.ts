import type { FileOutcome } from "../../insight/tests/run-files.ts";

/** Returns the report of a failed test, without colours. */
export type Reporter = (test: FileOutcome["tests"][number]) => string;

/** Converts the outcomes of tests to JUnit XML, for CI systems. */
export function junitXml(outcomes: readonly FileOutcome[], report: Reporter): string {
  const suites = outcomes.map(({ file, tests, problems }) => {
    const failed = tests.filter(({ passed }) => !passed).length;
    const head = `tests="${tests.length}" failures="${failed}" errors="${problems.length}"`;
    const cases = tests.map((one) => {
      const name = `name="${escaped(one.test.name)}" classname="${escaped(file)}"`;
      const open = `    <testcase ${name} time="${(one.tookMs / 1_000).toFixed(3)}"`;
      if (one.passed) return `${open}/>`;
      const text = escaped(report(one));
      return `${open}>\n      <failure message="not as expected">${text}</failure>\n    </testcase>`;
    });
    const errors = problems.map(
      ({ message, line, column }) =>
        `    <testcase name="${escaped(file)}:${line}:${column}" classname="${escaped(file)}">` +
        `<error message="${escaped(message)}"/></testcase>`,
    );
    const inside = [...cases, ...errors].join("\n");
    return `  <testsuite name="${escaped(file)}" ${head}>\n${inside}\n  </testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join("\n")}\n</testsuites>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Escapes text for XML. Control characters, which XML can't contain, become question marks. */
function escaped(text: string): string {
  return text
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "?");
}
