import { copyFile, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";

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

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Inside the package, so that what is not bundled is found. */
const CACHE = join(ROOT, "node_modules/.cache");
/** What is loaded by its address: threads, and what a bot's thread offers bots. */
const THREADS = [
  "src/bots/authoring",
  "src/bots/thread",
  "src/runtime/store/sqlite/backup/thread",
  "src/runtime/store/sqlite/thread",
];

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
  await build({
    absWorkingDir: ROOT,
    entryPoints: [...programs, ...THREADS].map((program) => `${program}.ts`),
    outdir: folder,
    outbase: ROOT,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["source"],
    external: ["libsql", "tsx", "esbuild"],
    banner: { js: COMMON_JS },
    plugins: [addresses(folder)],
    logLevel: "warning",
  });
  return {
    folder,
    command: (program, args = []) => [path(program), ...args],
    path,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** What packages that are CommonJS find in their scope. */
const COMMON_JS = [
  'import { createRequire as requireOf } from "node:module";',
  "const require = requireOf(import.meta.url);",
  "const __filename = new URL(import.meta.url).pathname;",
  'const __dirname = new URL(".", import.meta.url).pathname;',
].join("\n");

/** Each module keeps the address that it has without bundling, since threads are found by it. */
const addresses = (folder: string): Plugin => ({
  name: "addresses",
  setup(build) {
    build.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
      const address = pathToFileURL(join(folder, relative(ROOT, path)).replace(/\.ts$/, ".js"));
      const text = await readFile(path, "utf8");
      return {
        contents: text.replaceAll("import.meta.url", JSON.stringify(address.href)),
        loader: "ts",
      };
    });
  },
});
