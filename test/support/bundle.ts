import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundle, ROOT, THREADS } from "../../src/packaging/bundle.ts";

/** TypeScript programs of this repository in few files without types. */
export interface Bundle {
  /** What Node is started with for a program, such as `test/crash/child-main`. */
  command(program: string, args?: readonly string[]): readonly string[];
  /** Absolute path of all that is bundled; laid out as the repository. */
  readonly folder: string;
  /** Where the bundled program is. */
  path(program: string): string;
  remove(): Promise<void>;
}

/** Inside the package, so that what is not bundled is found. */
const CACHE = join(ROOT, "node_modules/.cache");
/** What a bot's module gets: its thread, and what that offers it. */
const FOR_BOTS = ["src/bots/authoring", "src/bots/thread"];

/**
 * Bundles programs with the runtime: they start in a fifth of the time that the loader of TypeScript
 * needs, and some tests start them a thousand times.
 *
 * @param programs Paths from the repository's root, without `.ts`.
 */
export async function bundled(programs: readonly string[]): Promise<Bundle> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, "bundle-"));
  // The version stands there, and is read where it would be without bundling.
  await copyFile(join(ROOT, "package.json"), join(folder, "package.json"));
  const path = (program: string): string => join(folder, `${program}.js`);
  await bundle({
    programs: [...programs, ...THREADS, ...FOR_BOTS],
    folder,
    nameOf: (program) => program,
    partNames: "parts/[name]-[hash].js",
    addressOf: (module) =>
      JSON.stringify(pathToFileURL(join(folder, module.replace(/\.ts$/, ".js"))).href),
  });
  return {
    folder,
    command: (program, args = []) => [path(program), ...args],
    path,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
