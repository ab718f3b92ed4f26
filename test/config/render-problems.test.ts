import { describe, expect, it } from "vitest";
import type { Problem } from "../../src/config/problem.ts";
import { renderProblems } from "../../src/config/render-problems.ts";

const PROBLEM: Problem = {
  file: "a.yaml",
  line: 2,
  column: 3,
  length: 7,
  severity: "error",
  code: "unknown-key",
  message: 'unknown key "trigers"',
  help: 'did you mean "triggers"?',
  sourceLine: "\t trigers: []",
};

describe("problems for people", () => {
  it("show the place, the line with a caret below the token, the help and a count", () => {
    expect(renderProblems([PROBLEM])).toBe(
      [
        'a.yaml:2:3: error: unknown key "trigers" [unknown-key]',
        "   2 | \t trigers: []",
        "     | \t ^~~~~~~",
        '     = help: did you mean "triggers"?',
        "",
        "1 error in 1 file",
        "why, with an example: answerback explain unknown-key",
      ].join("\n"),
    );
  });

  it.each([
    { problems: [], text: "", why: "nothing to show" },
    {
      problems: [
        { ...PROBLEM, severity: "warning" as const },
        { ...PROBLEM, file: "b.yaml" },
      ],
      text: "1 error and 1 warning in 2 files",
      why: "errors first",
    },
    {
      problems: [PROBLEM, PROBLEM],
      text: "2 errors in 1 file",
      why: "a file is counted once",
    },
  ])("end with $text: $why", ({ problems, text }) => {
    expect(renderProblems(problems).split("\n").at(-2) ?? "").toBe(text);
  });

  it("end with the command that explains more, for every code", () => {
    const text = renderProblems([PROBLEM, { ...PROBLEM, code: "wrong-type" }]);

    expect(text.split("\n").at(-1)).toBe(
      "why, with an example: answerback explain CODE, such as unknown-key",
    );
  });

  it("draw no caret past the end of the line", () => {
    const text = renderProblems([
      { ...PROBLEM, column: 10, length: 40, sourceLine: "short: here" },
    ]);

    expect(text.split("\n")[2]).toBe(`     | ${" ".repeat(9)}^~`);
  });

  it("show invisible characters as escapes, with the caret still below the token", () => {
    const sourceLine = "a\u001b\u202e tri\u200bgers: x";
    const text = renderProblems([{ ...PROBLEM, column: 5, length: 8, sourceLine }]);

    expect(text.split("\n").slice(1, 3)).toEqual([
      "   2 | a\\u001b\\u202e tri\\u200bgers: x",
      `     | ${" ".repeat(14)}^~~~~~~~~~~~~`,
    ]);
  });

  it("show only the part of a long line around the token", () => {
    const sourceLine = `${"x".repeat(5_000)} trigers ${"y".repeat(5_000)}`;
    const text = renderProblems([{ ...PROBLEM, column: 5_002, sourceLine }]);

    expect(text.split("\n").slice(1, 3)).toEqual([
      `   2 | …${"x".repeat(119)} trigers ${"y".repeat(152)}…`,
      `     | ${" ".repeat(121)}^~~~~~~`,
    ]);
  });

  it("have no source line if the problem has none, and colours only on request", () => {
    const { sourceLine: _, ...placeless } = PROBLEM;
    const text = renderProblems([placeless], { error: (part) => `<${part}>` });

    expect(text.split("\n").slice(0, 2)).toEqual([
      '<a.yaml:2:3: error: unknown key "trigers" [unknown-key]>',
      '     = help: did you mean "triggers"?',
    ]);
  });
});
