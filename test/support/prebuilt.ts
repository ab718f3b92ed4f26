import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { bundlePage } from "../../src/packaging/bundle-page.ts";
import { bundled } from "./bundle.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Folder of the files that were bundled once for all tests, in the repository's layout. */
    readonly prebuilt: string;
  }
}

/** Programs that tests start in separate processes: paths from the repository's root, without `.ts`. */
const PROGRAMS = [
  "src/cli/bin",
  "src/index",
  "src/system/start-thread",
  "test/sandbox/control/child-sandbox",
  "test/runtime/store/child-main",
];

/**
 * Bundles the command line and the modules of worker threads before the first test. Opening a store from a bundle takes
 * a sixth of the time that the TypeScript loader needs, and the tests open a thousand stores. Bots' worker threads and
 * `dev` start in a third of the time. The console's page is bundled once, too, instead of once in each process.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Vitest calls `setup` for each project, too. All projects get the values that the root project provides.
  if (!project.isRootProject()) return async () => {};
  const [bundle, page] = await Promise.all([bundled(PROGRAMS), bundlePage()]);
  // A bots' worker thread without a TypeScript loader imports the built entry of the package.
  await mkdir(join(bundle.folder, "dist"));
  await writeFile(join(bundle.folder, "dist/index.js"), `export * from "../src/index.js";\n`);
  await mkdir(join(bundle.folder, "page"));
  for (const { name, body } of page) await writeFile(join(bundle.folder, "page", name), body);
  project.provide("prebuilt", bundle.folder);
  return () => bundle.remove();
}
