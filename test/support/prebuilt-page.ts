import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";
import type { PageAssets } from "../../src/console/assets/page-assets.ts";

/** Replaces `console/assets/page-assets.ts` in tests: returns the same files, built once for all tests. */
export async function pageAssets(): Promise<PageAssets> {
  const folder = join(inject("prebuilt"), "page");
  const files = (await readdir(folder)).map(async (name) => {
    return [name, { name, body: await readFile(join(folder, name)) }] as const;
  });
  return new Map(await Promise.all(files));
}
