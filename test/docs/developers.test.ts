import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { glob } from "tinyglobby";
import { beforeAll, describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const read = (file: string): Promise<string> => readFile(join(ROOT, file), "utf8");

/** Returns the folders in the first column of the tables in `text`. */
const rowsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^\| \[?`([^`]+\/)`/gm)].map(([, folder = ""]) => folder);

/** Returns all folders of `files`, including their parents, with a slash at the end. */
function foldersOf(files: readonly string[]): readonly string[] {
  const folders = files.flatMap((file) => {
    const parts = file.split("/").slice(0, -1);
    return parts.map((_, depth) => `${parts.slice(0, depth + 1).join("/")}/`);
  });
  return [...new Set(folders)].filter((folder) => folder !== "src/").sort();
}

describe("the folders of src", () => {
  let code: readonly string[] = [];
  let described: readonly string[] = [];
  beforeAll(async () => {
    code = foldersOf(await glob(["src/**/*", "!src/**/*.md"], { cwd: ROOT }));
    const readmes = await glob("src/**/README.md", { cwd: ROOT });
    const rows = await Promise.all(
      readmes.map(async (readme) =>
        rowsOf(await read(readme)).map((row) => `${dirname(readme)}/${row}`),
      ),
    );
    described = rows.flat();
  });

  it("each have one row, in src/README.md or in the README of a folder above", () => {
    const twice = described.filter((folder, index) => described.indexOf(folder) !== index);

    expect(code.length).toBeGreaterThan(100);
    expect(code.filter((folder) => !described.includes(folder))).toEqual([]);
    expect(twice).toEqual([]);
  });

  it("have no row for a folder that does not exist", () => {
    expect(described.filter((folder) => !existsSync(join(ROOT, folder)))).toEqual([]);
  });

  it("have rows in src/README.md for the top folders alone", async () => {
    const top = (await readdir(join(ROOT, "src"), { withFileTypes: true }))
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${name}/`)
      .sort();

    expect([...rowsOf(await read("src/README.md"))].sort()).toEqual(top);
  });
});

describe("the decisions", () => {
  const FOLDER = "src/decisions";
  let files: readonly string[] = [];
  beforeAll(async () => {
    files = await glob("*/*.md", { cwd: join(ROOT, FOLDER) });
  });

  it("are all in the index, under their titles", async () => {
    const index = await read(`${FOLDER}/README.md`);
    const listed = [...index.matchAll(/^- \[(.+)\]\((.+\.md)\)$/gm)].map(
      ([, title = "", file = ""]) => `${file}: ${title}`,
    );
    const titled = await Promise.all(
      files.map(async (file) => {
        const [heading = ""] = (await read(`${FOLDER}/${file}`)).split("\n");
        return `${file}: ${heading.replace("# ", "")}`;
      }),
    );

    expect(titled.length).toBeGreaterThan(50);
    expect([...listed].sort()).toEqual(titled.sort());
  });

  it("each have a context and a decision", async () => {
    const incomplete: string[] = [];
    for (const file of files) {
      const text = await read(`${FOLDER}/${file}`);
      const has = (part: string) => text.includes(`\n**${part}`);
      if (!has("Context.**") || !has("Decision.**")) incomplete.push(file);
    }

    expect(incomplete).toEqual([]);
  });
});

describe("the recipes of CONTRIBUTING.md", () => {
  it("name existing files, and existing folders for new files", async () => {
    const [, recipes = ""] = (await read("CONTRIBUTING.md")).split("## Add …");
    const [section = ""] = recipes.split("\n## ");
    const named = [...section.matchAll(/`((?:src|test|config)\/[^`\s]*)`/g)].map(
      ([, path = ""]) => path,
    );
    const missing = named.filter((path) => !existsSync(join(ROOT, settled(path))));

    expect(named.length).toBeGreaterThan(40);
    expect(missing).toEqual([]);
  });
});

/** Returns the folder before a placeholder in a path; without one, the whole path. */
function settled(path: string): string {
  const open = path.search(/[<{]/);
  return open === -1 ? path : path.slice(0, path.lastIndexOf("/", open));
}

it("no README of src is in the package", async () => {
  const { files }: { files: readonly string[] } = JSON.parse(await read("package.json"));

  expect(files.filter((path) => path.startsWith("src"))).toEqual([]);
});
