import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { glob } from "tinyglobby";
import { expect, it } from "vitest";
import { deadLinks } from "./links.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const documents = (): Promise<string[]> =>
  glob(["*.md", "{src,config,bots,examples,test}/**/*.md"], { cwd: ROOT });

it("every resource of the client has a page in the API reference", async () => {
  const files = await glob("src/client/resources/**/*.ts", { cwd: ROOT });
  // The package re-exports everything in `src/client/index.ts`, so this file shows what is public.
  const exported = await readFile(join(ROOT, "src/client/index.ts"), "utf8");
  const sources = await Promise.all(files.map((file) => readFile(join(ROOT, file), "utf8")));
  const methods = sources.flatMap((source) =>
    [...source.matchAll(/^export interface (\w+Methods)\b/gm)].map(([, name = ""]) => name),
  );

  expect(methods.length).toBeGreaterThan(15);
  expect(methods.filter((name) => !new RegExp(`\\b${name}\\b`).test(exported))).toEqual([]);
});

it("every link in a document leads to a file, and to a heading if it names one", async () => {
  expect(await deadLinks(ROOT, await documents())).toEqual([]);
});

it.each(["config", "bots"])("%s/README.md lists every page beside it", async (folder) => {
  const pages = await glob("{guide,reference}/**/*.md", { cwd: join(ROOT, folder) });
  const index = await readFile(join(ROOT, folder, "README.md"), "utf8");

  expect(pages.length).toBeGreaterThan(10);
  expect(pages.filter((page) => !index.includes(`](${page})`))).toEqual([]);
});

it("every source file that a document names exists", async () => {
  const files = await glob("{src,test,bots,examples}/**/*.ts", { cwd: ROOT });
  const missing: string[] = [];
  for (const document of await documents()) {
    const text = await readFile(join(ROOT, document), "utf8");
    for (const [, name = ""] of text.matchAll(/`([\w./-]+\.ts)(?:#\w+)?`/g)) {
      if (name.startsWith("./") || files.some((file) => `/${file}`.endsWith(`/${name}`))) continue;
      missing.push(`${document}: ${name}`);
    }
  }

  expect(missing).toEqual([]);
});

it("every npm script that a document names exists", async () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    await readFile(join(ROOT, "package.json"), "utf8"),
  );
  const unknown: string[] = [];
  for (const document of (await documents()).filter((one) => !one.startsWith("examples/"))) {
    const text = await readFile(join(ROOT, document), "utf8");
    for (const [, name = ""] of text.matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)) {
      if (!Object.hasOwn(scripts, name)) unknown.push(`${document}: ${name}`);
    }
  }

  expect(unknown).toEqual([]);
});
