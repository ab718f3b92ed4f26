import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { listFiles } from "../../src/config/find-files.ts";
import { globFolder } from "../../src/system/files/glob-folder.ts";

const folder = await mkdtemp(path.join(tmpdir(), "files-"));
await mkdir(path.join(folder, "rules/more"), { recursive: true });
for (const name of ["b.yaml", "a.yaml", "a.txt", "more/c.yaml"]) {
  await writeFile(path.join(folder, "rules", name), "");
}

test.each([
  { globs: ["rules/*.yaml"], paths: ["a.yaml", "b.yaml"], why: "a star stays in its folder" },
  { globs: ["rules/**/*.yaml"], paths: ["a.yaml", "b.yaml", "more/c.yaml"], why: "two go deeper" },
  { globs: ["rules/b.yaml", "rules/*.yaml"], paths: ["a.yaml", "b.yaml"], why: "each file once" },
  { globs: ["rules/*/c.yaml"], paths: ["more/c.yaml"], why: "a folder may have a star" },
  { globs: ["nowhere/*.yaml"], paths: [], why: "no folder, no files" },
])("$globs names $paths: $why", async ({ globs, paths }) => {
  const files = await listFiles(globs.map((glob) => path.join(folder, glob)));

  expect(files).toEqual(paths.map((name) => path.join(folder, "rules", name)));
});

test.each(["my bots (2)", "a [b] c", "{one,two}", "what?", "a*b", "!no", "+(x)", "größe"])(
  "a folder named %s is taken literally before the pattern",
  async (name) => {
    const rules = path.join(folder, name, "rules");
    await mkdir(rules, { recursive: true });
    for (const file of ["a.yaml", "b.txt"]) await writeFile(path.join(rules, file), "");

    expect(await listFiles([path.join(rules, "*.yaml")])).toEqual([path.join(rules, "a.yaml")]);
    expect(await listFiles([path.join(rules, "{a,c}.yaml")])).toEqual([path.join(rules, "a.yaml")]);
    expect(await listFiles([path.join(folder, name, "*/a.yaml")])).toEqual([
      path.join(rules, "a.yaml"),
    ]);
    expect(await listFiles([path.join(folder, name, "nowhere/*.yaml")])).toEqual([]);
  },
);

test.each([
  { glob: "rules/*.yaml", begins: "rules", why: "before the name of the files" },
  { glob: "rules/a.yaml", begins: "rules", why: "of a file" },
  { glob: "rules/m*/c.yaml", begins: "rules", why: "before a pattern for folders" },
  { glob: "later/on/*.yaml", begins: "later/on", why: "that does not exist yet" },
  { glob: "my bots (3)/*.yaml", begins: "my bots (3)", why: "with parentheses" },
])("the folder of $glob is the one $why", async ({ glob, begins }) => {
  await mkdir(path.join(folder, "my bots (3)"), { recursive: true });

  expect(globFolder(path.join(folder, glob))).toBe(path.join(folder, begins));
});
