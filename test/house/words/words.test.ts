import { describe, expect, it } from "vitest";
import { findingsIn } from "./judge-words.ts";
import { paragraphsOf, pathsOfTexts, readTexts, textsOfSource } from "./read-texts.ts";
import { drawTexts } from "./sample.ts";

const rulesOf = (source: string): readonly string[] =>
  textsOfSource("src/a.tsx", source)
    .flatMap(findingsIn)
    .map(({ rule, line }) => `${line} ${rule}`);

const paths = await pathsOfTexts(process.cwd());
/** First two folders of a path, such as `src/cli`. */
const areaOf = (path: string): string => /^([^/]+\/[^/]+)\//.exec(path)?.[1] ?? "the top folders";
const AREAS = [...new Set(paths.map(areaOf))];

describe("the words of the house", () => {
  // Areas one by one: all of them in one test would take long on a busy machine.
  it.each(AREAS)("break no rule of plain English in %s", async (area) => {
    const texts = await readTexts(
      process.cwd(),
      paths.filter((path) => areaOf(path) === area),
    );

    expect(texts.flatMap(findingsIn)).toEqual([]);
  });

  it("are read in every area", () => {
    expect(AREAS).toEqual(
      expect.arrayContaining(["src/runtime", "test/house", "config/guide", "the top folders"]),
    );
  });
});

describe("a comment", () => {
  it.each([
    ["/** What a caller gets. */", ["1 openings"]],
    ["/**\n * Returns the rows.\n *\n * @returns those of the account.\n */", ["1 openings"]],
    [
      "/**\n * Returns the rows.\n *\n * @param id Of the account.\n * @throws {Error} where none is.\n */",
      ["1 openings", "1 openings"],
    ],
    ["/** Keeps an existing timer with the same id. */", []],
    ["// As long as the lease holds.", ["1 openings"]],
    ["// The lease is held\n// as long as the process lives.", []],
    ["// The lease.\n\n// Of the process.", ["3 openings"]],
    ["/** The log tells the operator. A worker says nothing. */", ["1 words"]],
    ["/** The person says something. */", []],
    ["/** Done anew for nobody. */", ["1 words", "1 words"]],
    ["/** `What it says` is code. */", []],
    ["/**\n * Sums.\n *\n * @example\n * // What it says anew\n * sum();\n */", []],
    ['const text = "// What it says";', []],
    ["/* What is no docstring */", []],
    ["const page = <p>// What</p>;", []],
  ])("%s", (source, rules) => {
    expect(rulesOf(source)).toEqual(rules);
  });
});

describe("a name", () => {
  it.each([
    ["const found = 1;", ["1 names"]],
    ["const foundRows = 1;", []],
    ["const MOST_ROWS = 1;", ["1 names"]],
    ["function f(left: number) {}", ["1 names"]],
    ["function f(left: number, right: number) {}", []],
    ["interface A {\n  readonly kept: number;\n}", ["2 names"]],
    ["const { given } = f();", ["1 names"]],
    ["const { given: names } = f();", []],
  ])("%s", (source, rules) => {
    expect(rulesOf(source)).toEqual(rules);
  });
});

describe("a document", () => {
  it("is read by paragraphs and items of lists, without code, tables and generated sections", () => {
    const text = [
      "# What it is",
      "One paragraph",
      "of two lines.",
      "",
      "- first",
      "  item",
      "- second",
      "| a | b |",
      "```",
      "code anew",
      "```",
      "<!-- areas:begin -->",
      "anew",
      "<!-- areas:end -->",
    ].join("\n");

    expect(paragraphsOf("a.md", text).map(({ line, text: words }) => `${line} ${words}`)).toEqual([
      "2 One paragraph of two lines.",
      "5 first item",
      "7 second",
    ]);
  });

  it("has sentences of up to 30 words", () => {
    const words = (count: number): string => `${"word ".repeat(count - 1)}end.`;
    const rules = paragraphsOf("a.md", `${words(30)} ${words(31)}`).flatMap(findingsIn);

    expect(rules.map(({ rule, excerpt }) => `${rule}: ${excerpt.length > 0}`)).toEqual([
      "sentences: true",
    ]);
  });
});

it("the same seed draws the same texts, half of them docstrings", () => {
  const texts = Array.from({ length: 300 }, (_, line) => ({
    kind: (["docstring", "paragraph", "line comment"] as const)[line % 3] ?? "docstring",
    path: "src/a.ts",
    line,
    text: "",
  }));
  const drawn = drawTexts(texts, 60, 7);

  expect(drawn).toEqual(drawTexts(texts, 60, 7));
  expect(drawn).not.toEqual(drawTexts(texts, 60, 8));
  expect(new Set(drawn.map(({ line }) => line)).size).toBe(60);
  expect(drawn.filter(({ kind }) => kind === "docstring").length).toBe(30);
});
