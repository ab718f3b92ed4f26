import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { glob } from "tinyglobby";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A link to a file, to a heading, or to a heading of a file. */
const LINK = /\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g;

const documents = (): Promise<string[]> =>
  glob(["*.md", "{src,config,bots,examples,test}/**/*.md"], { cwd: ROOT });

/** Returns the anchors of a document's headings, as GitHub derives them. */
async function anchorsOf(document: string): Promise<readonly string[]> {
  const text = await readFile(join(ROOT, document), "utf8");
  return [...text.replace(/^```[^]*?^```/gm, "").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

it("every resource of the client has a page in the API reference", async () => {
  const files = await glob("src/client/resources/**/*.ts", { cwd: ROOT });
  // The package exports all of the client's module.
  const exported = await readFile(join(ROOT, "src/client/index.ts"), "utf8");
  const sources = await Promise.all(files.map((file) => readFile(join(ROOT, file), "utf8")));
  const methods = sources.flatMap((source) =>
    [...source.matchAll(/^export interface (\w+Methods)\b/gm)].map(([, name = ""]) => name),
  );

  expect(methods.length).toBeGreaterThan(15);
  expect(methods.filter((name) => !new RegExp(`\\b${name}\\b`).test(exported))).toEqual([]);
});

it("every link in a document leads to a file, and to a heading where it names one", async () => {
  const broken: string[] = [];
  for (const document of await documents()) {
    const text = await readFile(join(ROOT, document), "utf8");
    for (const [, target = "", anchor] of text.matchAll(LINK)) {
      const file = target === "" ? document : join(dirname(document), target);
      const isBroken =
        !existsSync(join(ROOT, file)) ||
        (anchor !== undefined && file.endsWith(".md") && !(await anchorsOf(file)).includes(anchor));
      if (isBroken)
        broken.push(`${document}: ${target}${anchor === undefined ? "" : `#${anchor}`}`);
    }
  }

  expect(broken).toEqual([]);
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
