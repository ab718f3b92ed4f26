import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { glob } from "tinyglobby";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBots } from "../../src/bots/host.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const BESIDE = fileURLToPath(new URL("../fixtures/docs", import.meta.url));

/** Folder with the modules of the guide, each in a separate file, and the modules that they import. */
let folder: string;
let files: readonly string[];
beforeAll(async () => {
  folder = await mkdtemp(join(ROOT, "test/fixtures/.docs-"));
  await cp(BESIDE, folder, { recursive: true });
  const pages = await glob(["README.md", "bots/**/*.md"], { cwd: ROOT });
  const texts = await Promise.all(pages.map((page) => readFile(join(ROOT, page), "utf8")));
  const blocks = [...texts.join("\n").matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(
    ([, code = ""]) => code,
  );
  const shown = blocks.filter((code) => code.includes("export default"));
  files = shown.map((_, index) => join(folder, `shown-${index}.ts`));
  await Promise.all(shown.map((code, index) => writeFile(files[index] ?? "", code)));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the modules in README.md and the guide of bots", () => {
  it("are whole and have no mistake of types", () => {
    const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), (path) =>
      ts.sys.readFile(path),
    );
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
    const program = ts.createProgram([...files], options);
    const messages = files.flatMap((file) =>
      ts
        .getPreEmitDiagnostics(program, program.getSourceFile(file))
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")),
    );

    expect(files.length).toBeGreaterThan(10);
    expect(messages).toEqual([]);
  });

  it("can be loaded as they are", async () => {
    const host = await startBots({ files, patienceMs: 120_000 });

    expect(host.faults).toEqual([]);
    expect(host.bots).toHaveLength(files.length);
    await host.close();
  });
});
