import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { bundlePage } from "../../src/packaging/bundle-page.ts";
import { bundled } from "./bundle.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Folder of what was bundled once for all tests, laid out as this repository. */
    readonly prebuilt: string;
  }
}

/** What tests start in processes of their own, paths from the repository's root without `.ts`. */
const PROGRAMS = [
  "src/cli/bin",
  "src/system/start-thread",
  "test/sandbox/control/child-sandbox",
  "test/runtime/store/child-main",
];

/**
 * Bundles the command line and what runs in threads before the first test: a store is opened in a sixth of the time
 * that the loader of TypeScript needs for it, and the tests open a thousand; a bots' thread and `dev` start in a third.
 * So is the console's page, which from source each process would build anew.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // It is set up for each project as well, and what the root provides is provided to all.
  if (!project.isRootProject()) return async () => {};
  const [bundle, page] = await Promise.all([bundled(PROGRAMS), bundlePage()]);
  await mkdir(join(bundle.folder, "page"));
  for (const { name, body } of page) await writeFile(join(bundle.folder, "page", name), body);
  project.provide("prebuilt", bundle.folder);
  return () => bundle.remove();
}
