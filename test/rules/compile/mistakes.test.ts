import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it, test } from "vitest";
import { compile } from "../../../src/rules/compile/compile.ts";
import { annotate, mistakeCases } from "../support/mistake-cases.ts";

const FILES = readdirSync(new URL("mistakes", import.meta.url)).map((file) =>
  basename(file, ".txt"),
);

/**
 * Each case is a text with one mistake. Below the wrong line are the expected caret,
 * code and line of help. A line without indentation belongs to a rule that answers messages.
 */
describe.each(FILES)("a mistake from mistakes/%s.txt", (name) => {
  test.each(mistakeCases(`${name}.txt`))("is reported once, at its place: $title", (one) => {
    const { problems } = compile([{ path: "bad.yaml", text: one.text }]);

    expect(annotate(one.text, problems)).toBe(one.annotated);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.help).toMatch(/\S/);
  });
});

describe("a file that is not plain text", () => {
  const GOOD =
    "version: 1\nrules:\n  - {id: a, triggers: [dm.received], actions: [{reply_dm: hi}]}\n";
  const problemsOf = (text: string) =>
    compile([{ path: "bad.yaml", text }]).problems.map(
      ({ line, column, code, help }) => `${line}:${column} ${code}: ${help}`,
    );

  it("may begin with a byte order mark", () => {
    expect(problemsOf(`\uFEFF${GOOD}`)).toEqual([]);
    for (const wrong of [GOOD.replace("1", "2"), GOOD.replace("rules:\n ", "rules:\n\t")]) {
      expect(problemsOf(`\uFEFF${wrong}`)).toEqual(problemsOf(wrong));
    }
  });

  it("may have the line ends of Windows", () => {
    expect(problemsOf(GOOD.replaceAll("\n", "\r\n"))).toEqual([]);
  });

  it("may have the line ends of old Macs", () => {
    expect(problemsOf(GOOD.replaceAll("\n", "\r"))).toEqual([]);
  });

  it("is reported at its first byte that is not UTF-8", () => {
    const latin1 = Buffer.from(GOOD.replace("hi", "Grüße"), "latin1").toString("utf8");

    expect(problemsOf(latin1)).toEqual(["3:61 not-utf8: save the file as UTF-8"]);
  });

  it("is reported once if it is UTF-16", () => {
    const utf16 = Buffer.from(GOOD, "utf16le").toString("utf8");

    expect(problemsOf(utf16)).toEqual(["1:2 not-utf8: save the file as UTF-8"]);
  });

  it("is reported if it is empty", () => {
    expect(problemsOf("")).toEqual([
      "1:1 wrong-type: write a map with: version, account, groups, lists, hours, texts, state, inputs, use, rules",
    ]);
  });
});
