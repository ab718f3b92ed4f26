import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { glob } from "tinyglobby";
import { isPicture, linkedPaths } from "./links.ts";
import { type DocsPage, type DocsText, toPages } from "./page.ts";

/** Folder of the npm package, whose files include the documentation. */
const PACKAGE = fileURLToPath(new URL("../../", import.meta.url));

/** Globs of the pages, in the order in which the pages are listed. */
const PAGES = [
  "config/README.md",
  "config/guide/rules/*.md",
  "config/guide/operating/*.md",
  "bots/README.md",
  "bots/guide/*.md",
  "config/reference/*.md",
  "examples/*/README.md",
];

/** Globs of the pages that the search omits. */
const FRONT_PAGES = ["README.md", "examples/README.md", "CHANGELOG.md", "SECURITY.md"];

/** Reads the pages for the search; each entry of a reference page is a page too. */
export async function readPages(): Promise<readonly DocsPage[]> {
  return (await readTexts(PAGES)).flatMap(toPages);
}

/** Reads the texts of the package: its pages, then the other files to which these pages link. */
export async function readDocs(): Promise<readonly DocsText[]> {
  return withLinkedFiles(await readTexts([...FRONT_PAGES, ...PAGES]));
}

/** Reads the files that match the patterns, in the order of the patterns. */
export async function readTexts(patterns: readonly string[]): Promise<readonly DocsText[]> {
  const paths = await Promise.all(patterns.map((pattern) => glob(pattern, { cwd: PACKAGE })));
  return Promise.all(paths.flatMap((some) => some.toSorted()).map(readText));
}

/** Returns the pages, followed by the files to which they link. */
export async function withLinkedFiles(pages: readonly DocsText[]): Promise<readonly DocsText[]> {
  const listed = new Set(pages.map(({ path }) => path));
  const linked = new Set(
    pages.flatMap(linkedPaths).filter((path) => !listed.has(path) && !isPicture(path)),
  );
  return [...pages, ...(await Promise.all([...linked].map(readText)))];
}

/** Path of a page, relative to the folder `cwd`. */
export function placeOf({ path }: DocsPage, cwd: string): string {
  return relative(cwd, join(PACKAGE, path));
}

async function readText(path: string): Promise<DocsText> {
  return { path, text: await readFile(join(PACKAGE, path), "utf8") };
}
