import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type FigureName, figuresOf, type HouseFigure, type HouseFigures } from "./figures.ts";
import { type HouseBounds, judge } from "./judge.ts";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

/** Writes a project with these files and computes its figures. */
async function figuresFor(files: Readonly<Record<string, string>>): Promise<HouseFigures> {
  const project = await mkdtemp(join(tmpdir(), "house-figures-"));
  folders.push(project);
  for (const [path, text] of Object.entries({ "src/README.md": "", ...files })) {
    await mkdir(dirname(join(project, path)), { recursive: true });
    await writeFile(join(project, path), text);
  }
  return figuresOf(project);
}

const lines = (count: number): string => "// a line\n".repeat(count);
const functionOf = (count: number): string => `function long() {\n${lines(count - 2)}}\n`;
const interfaceOf = (count: number): string =>
  `interface Large {\n${Array.from({ length: count }, (_, n) => `  m${n}: string;\n`).join("")}}\n`;
const imports = (...paths: string[]): string => paths.map((path) => `import "${path}";\n`).join("");

interface FigureCase {
  readonly figure: FigureName;
  readonly why: string;
  readonly files: Readonly<Record<string, string>>;
  readonly value: number;
}

const CASES: readonly FigureCase[] = [
  {
    figure: "two_way_pairs",
    why: "folders whose files import each other from any depth",
    files: {
      "src/rules/steps/deep/a.ts": imports("../../compile/b.ts"),
      "src/rules/compile/b.ts": "export const b = 1;",
      "src/rules/compile/c.ts": imports("../steps/d.ts"),
      "src/rules/steps/d.ts": "export const d = 1;",
    },
    value: 1,
  },
  {
    figure: "two_way_pairs",
    why: "imports of types, exports, and imports in expressions and types",
    files: {
      "src/a/one.ts": 'import type { B } from "../b/two.ts";',
      "src/b/two.ts": 'export * from "../a/one.ts";',
      "src/c/three.ts": 'export const d = () => import("../d/four.ts");',
      "src/d/four.ts": 'export type C = import("../c/three.ts").C;',
    },
    value: 2,
  },
  {
    figure: "two_way_pairs",
    why: "no pair that imports one way only, no loose file, no word in a comment or text",
    files: {
      "src/rules/compile/b.ts": imports("../steps/d.ts", "../loose.ts"),
      "src/rules/steps/d.ts": '// import "../compile/b.ts";\nexport const d = "import \'./b.ts\'";',
      "src/rules/loose.ts": imports("./compile/b.ts"),
    },
    value: 0,
  },
  {
    figure: "two_way_pairs_sandbox",
    why: "pairs of folders in sandbox only",
    files: {
      "src/sandbox/a/one.ts": imports("../b/two.ts"),
      "src/sandbox/b/two.ts": imports("../a/one.ts"),
      "src/rules/a/one.ts": imports("../b/two.ts"),
      "src/rules/b/two.ts": imports("../a/one.ts"),
      "src/sandbox/a/c/one.ts": imports("../d/two.ts"),
      "src/sandbox/a/d/two.ts": imports("../c/one.ts"),
    },
    value: 1,
  },
  {
    figure: "two_way_pairs_rules",
    why: "pairs of folders in rules only",
    files: {
      "src/rules/a/one.ts": imports("../b/two.ts"),
      "src/rules/b/two.ts": imports("../a/one.ts"),
      "src/sandbox/a/one.ts": imports("../b/two.ts"),
      "src/sandbox/b/two.ts": imports("../a/one.ts"),
    },
    value: 1,
  },
  {
    figure: "upward_imports",
    why: "an import of a higher floor, and one by a folder that has no floor",
    files: {
      "src/runtime/a.ts": imports("../console/b.ts"),
      "src/console/b.ts": "",
      "src/attic/c.ts": imports("../text/d.ts"),
      "src/text/d.ts": "",
    },
    value: 2,
  },
  {
    figure: "upward_imports",
    why: "no import of a lower floor, the same floor or the same folder",
    files: {
      "src/console/a.ts": imports("../runtime/b.ts", "./c.ts", "../errors.ts"),
      "src/console/c.ts": "",
      "src/runtime/b.ts": "",
      "src/errors.ts": imports("./text/d.ts"),
      "src/text/d.ts": "",
    },
    value: 0,
  },
  {
    figure: "long_functions",
    why: "functions, methods and arrows over 60 lines, each nested one too",
    files: {
      "src/a.ts": functionOf(61),
      "src/b.ts": `export const b = {\nlong: () => {\n${lines(59)}},\n};\n`,
      "src/c.ts": `class C {\n#of() {\n${functionOf(61)}}\n}\n`,
    },
    value: 4,
  },
  {
    figure: "long_functions",
    why: "no function of 60 lines, none for its comment, no long type",
    files: { "src/a.ts": `/**\n * Text.\n */\n${functionOf(60)}`, "src/b.ts": interfaceOf(80) },
    value: 0,
  },
  {
    figure: "large_interfaces",
    why: "interfaces with more than 12 members",
    files: { "src/a.ts": interfaceOf(13), "src/b.tsx": interfaceOf(14) },
    value: 2,
  },
  {
    figure: "large_interfaces",
    why: "no interface of 12 members, no members that are extended",
    files: { "src/a.ts": `${interfaceOf(12)}interface More extends Large {\n  one: 1;\n}\n` },
    value: 0,
  },
  {
    figure: "small_files",
    why: "files under 25 lines with one importer, wherever that lies",
    files: {
      "src/a/small.ts": lines(24),
      "src/a/big.ts": imports("./small.ts") + lines(30),
      "src/b/small.ts": lines(24),
      "src/c/big.ts": imports("../b/small.ts") + lines(30),
    },
    value: 2,
  },
  {
    figure: "small_files",
    why: "no file of 25 lines, none with two importers, none with no importer",
    files: {
      "src/a/medium.ts": lines(25),
      "src/a/shared.ts": lines(3),
      "src/a/one.ts": imports("./medium.ts", "./shared.ts") + lines(30),
      "src/a/two.ts": imports("./shared.ts"),
    },
    value: 0,
  },
  {
    figure: "small_files_beside",
    why: "small files whose one importer lies in the same folder",
    files: {
      "src/a/small.ts": lines(24),
      "src/a/big.ts": imports("./small.ts"),
      "src/b/small.ts": lines(24),
      "src/c/big.ts": imports("../b/small.ts"),
    },
    value: 1,
  },
  ...(["runtime", "client", "rules", "sandbox", "console"] as const).map((top): FigureCase => ({
    figure: `doors_${top}`,
    why: "files that are imported from outside, each once, none that only its own folder imports",
    files: {
      [`src/${top}/deep/door.ts`]: "",
      [`src/${top}/room.ts`]: imports("./deep/door.ts"),
      [`src/${top}/open.ts`]: imports("./room.ts"),
      "src/cli/one.ts": imports(`../${top}/deep/door.ts`),
      "src/cli/two.ts": imports(`../${top}/deep/door.ts`, "./one.ts"),
    },
    value: 1,
  })),
  {
    figure: "source_lines",
    why: "lines of .ts and .tsx files, a last one without its end too, no other files",
    files: { "src/a.ts": lines(3), "src/b.tsx": `${lines(2)}// end`, "src/c.css": lines(9) },
    value: 6,
  },
  {
    figure: "readme_words",
    why: "words",
    files: { "src/README.md": "# A\n\n  two  words\n" },
    value: 4,
  },
];

describe("a figure of the house", () => {
  it.each(CASES)("$figure counts $why: $value", async ({ figure, files, value }) => {
    const figures = await figuresFor(files);

    expect(figures[figure].value, figures[figure].places?.join("\n")).toBe(value);
  });

  it("names the places that it counts", async () => {
    const figures = await figuresFor({ "src/a.ts": `\n${functionOf(61)}` });

    expect(figures.long_functions.places).toEqual(["src/a.ts:2 long (61)"]);
  });

  it("follows the project's short names of folders", async () => {
    const figures = await figuresFor({
      "package.json": '{ "type": "module", "imports": { "#rules": "./src/rules/index.ts" } }',
      "src/rules/index.ts": "",
      "src/cli/a.ts": imports("#rules"),
    });

    expect(figures.doors_rules.places).toEqual(["src/rules/index.ts"]);
  });
});

describe("a bound", () => {
  const bounds: HouseBounds = {
    two_way_pairs: 0,
    two_way_pairs_sandbox: 0,
    two_way_pairs_rules: 0,
    upward_imports: 0,
    long_functions: 5,
    large_interfaces: 0,
    small_files: 0,
    small_files_beside: 0,
    doors_runtime: 0,
    doors_client: 0,
    doors_rules: 0,
    doors_sandbox: 0,
    doors_console: 0,
    source_lines: 0,
    readme_words: 0,
  };
  const verdictFor = async (figure: HouseFigure) =>
    judge({ ...(await figuresFor({})), long_functions: figure }, bounds);

  it("that is exceeded fails, and names the command that lists the places", async () => {
    expect(await verdictFor({ value: 6, places: ["src/a.ts:1 a (61)"] })).toMatchObject({
      exceeded: ["long_functions"],
      slack: [],
      advice: [
        "long_functions is 6, over its bound 5; list the places with: npm run -s house -- --list long_functions",
      ],
    });
  });

  it("that is reached needs nothing", async () => {
    expect(await verdictFor({ value: 5 })).toMatchObject({ exceeded: [], slack: [], advice: [] });
  });

  it("that is not reached is to be lowered", async () => {
    expect(await verdictFor({ value: 4 })).toMatchObject({
      exceeded: [],
      slack: ["long_functions"],
      advice: [
        "long_functions is 4, below its bound 5: lower the bound in test/house/figures/bounds.ts",
      ],
    });
  });
});
