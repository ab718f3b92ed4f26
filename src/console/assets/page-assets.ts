import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** A file of the page. */
export interface PageAsset {
  readonly name: string;
  readonly body: Uint8Array;
}

/** The page's files by name. `main.js`, `live.js` and `style.css` are always among them; the others have hashes in their names. */
export type PageAssets = ReadonlyMap<string, PageAsset>;

/** Bundles the page. */
export interface PageBundler {
  bundlePage(): Promise<readonly PageAsset[]>;
}

let assets: Promise<PageAssets> | undefined;

/** The page as it was built; where this runs from source it is built now, once. */
export function pageAssets(): Promise<PageAssets> {
  assets ??= load().catch((error: unknown) => {
    assets = undefined;
    throw error;
  });
  return assets;
}

async function load(): Promise<PageAssets> {
  const files = import.meta.url.endsWith(".ts") ? await builtNow() : await builtBefore();
  return new Map(files.map((file) => [file.name, file]));
}

/** By a name that no bundler follows: what builds the package is no part of it. */
async function builtNow(): Promise<readonly PageAsset[]> {
  const at = new URL("../../packaging/bundle-page.ts", import.meta.url).href;
  const bundler: PageBundler = await import(at);
  return bundler.bundlePage();
}

async function builtBefore(): Promise<readonly PageAsset[]> {
  const folder = fileURLToPath(new URL("../page/", import.meta.url));
  const names = await readdir(folder);
  return Promise.all(
    names.map(async (name) => ({ name, body: await readFile(`${folder}${name}`) })),
  );
}
