import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { isPicture, linkedPaths } from "../../docs/links.ts";
import { ROOT } from "../bundle.ts";
import { deadSiteLinks } from "./dead-links.ts";
import { markdownOf, readSiteTexts, sourceOf } from "./site-texts.ts";

/** Folder into which `npm run docs:api` writes the API reference. */
const API = join(ROOT, "docs/api");

/** Writes the pages, and the configuration that the generator reads. */
async function writeInput(input: string, output: string): Promise<void> {
  await rm(input, { recursive: true, force: true });
  const { texts } = await readSiteTexts();
  for (const text of texts) await write(join(input, sourceOf(text.path)), markdownOf(text));
  const pictures = new Set(texts.flatMap(linkedPaths).filter(isPicture));
  for (const path of pictures) await cp(join(ROOT, path), join(input, path));
  const config = fileURLToPath(new URL("config.ts", import.meta.url));
  const folders = JSON.stringify({ input, output, hasApi: existsSync(API) });
  await write(
    join(input, ".vitepress/config.mjs"),
    `import { siteConfig } from ${JSON.stringify(config)};\n\nexport default await siteConfig(${folders});\n`,
  );
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

const { values } = parseArgs({ options: { folder: { type: "string" } } });
const folder = values.folder ?? join(ROOT, "docs");
const output = join(folder, "site");
await writeInput(join(folder, "pages"), output);
const vitepress = createRequire(import.meta.url).resolve("vitepress/package.json");
const generator = join(vitepress, "../bin/vitepress.js");
execFileSync(process.execPath, [generator, "build", join(folder, "pages")], { stdio: "inherit" });
if (existsSync(API)) await cp(API, join(output, "api"), { recursive: true });
const deadLinks = await deadSiteLinks(output);
if (deadLinks.length > 0) throw new Error(`dead links in the site:\n${deadLinks.join("\n")}`);
process.stdout.write(`built: ${output}\n`);
