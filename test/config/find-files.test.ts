import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { findFiles } from "../../src/config/find-files.ts";

const folder = await mkdtemp(path.join(tmpdir(), "files-"));
await mkdir(path.join(folder, "rules/more"), { recursive: true });
for (const name of ["b.yaml", "a.yaml", "a.txt", "more/c.yaml"]) {
  await writeFile(path.join(folder, "rules", name), "");
}

test.each([
  { globs: ["rules/*.yaml"], found: ["a.yaml", "b.yaml"], why: "a star stays in its folder" },
  { globs: ["rules/**/*.yaml"], found: ["a.yaml", "b.yaml", "more/c.yaml"], why: "two go deeper" },
  { globs: ["rules/b.yaml", "rules/*.yaml"], found: ["a.yaml", "b.yaml"], why: "each file once" },
  { globs: ["rules/*/c.yaml"], found: ["more/c.yaml"], why: "a folder may have a star" },
  { globs: ["nowhere/*.yaml"], found: [], why: "no folder, no files" },
])("$globs names $found: $why", async ({ globs, found }) => {
  const files = await findFiles(globs.map((glob) => path.join(folder, glob)));

  expect(files).toEqual(found.map((name) => path.join(folder, "rules", name)));
});
