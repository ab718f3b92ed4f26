import { copyFile, mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundle, ROOT, THREADS } from "../../src/packaging/bundle.ts";
import { startGuard } from "../run/guard.ts";

/** TypeScript programs of this repository, bundled into few files. */
export interface Bundle {
  /** Arguments for Node that start a program, such as `test/crash/child-main`. */
  command(program: string, args?: readonly string[]): readonly string[];
  /** Absolute path of the bundled files, in the repository's layout. */
  readonly folder: string;
  /** Path of the bundled program. */
  path(program: string): string;
  remove(): Promise<void>;
}

/** Folder inside the package, so that unbundled modules are found. */
const CACHE = join(ROOT, "node_modules/.cache");
/** Module that replaces the package `answerback` in bot modules, as in `system/start-thread.ts`. */
const AUTHORING = "src/bots/authoring";
const FOR_BOTS = [AUTHORING, "src/bots/thread", "src/bots/loading/serve-modules"];

/**
 * Bundles programs with the runtime. A bundled program starts in a fifth of the time that the TypeScript loader needs,
 * and some tests start programs a thousand times.
 *
 * The modules of the bots' worker thread are bundled separately. Otherwise they would share files with the programs,
 * and load the whole runtime, which takes half a second of each start.
 *
 * @param programs Paths from the repository's root, without `.ts`.
 * @param bots Paths of bot modules, in the same form. They import only `createBot` and other functions that define a
 * bot.
 */
export async function bundled(
  programs: readonly string[],
  bots: readonly string[] = [],
): Promise<Bundle> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, "bundle-"));
  const guard = startGuard(folder);
  // The bundled code reads its version from the package.json beside it, as the source does.
  await copyFile(join(ROOT, "package.json"), join(folder, "package.json"));
  const path = (program: string): string => join(folder, `${program}.js`);
  const common = {
    folder,
    nameOf: (program: string) => program,
    addressOf: (module: string) =>
      JSON.stringify(pathToFileURL(join(folder, module.replace(/\.ts$/, ".js"))).href),
  };
  await bundle({
    ...common,
    programs: [...programs, ...THREADS],
    partNames: "parts/[name]-[hash].js",
  });
  await bundle({
    ...common,
    programs: [...FOR_BOTS, ...bots],
    partNames: "parts/bots/[name]-[hash].js",
    standIns: { answerback: join(ROOT, `${AUTHORING}.ts`) },
  });
  return {
    folder,
    command: (program, args = []) => [path(program), ...args],
    path,
    remove: () => guard.end(),
  };
}
