import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";

/** A program that runs a bot. */
export interface Program {
  /** With the flags that Node needs for it. */
  readonly command: readonly string[];
  /** Its bot module. */
  readonly bot: string;
  remove(): Promise<void>;
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Inside the package, so that what is not bundled is found. */
const CACHE = join(ROOT, "node_modules/.cache");
const MAIN = "test/crash/child-main";
const BOT = "test/crash/bots/striking";
/** What is loaded by its address: threads. */
const THREADS = ["src/runtime/store/sqlite/thread", "src/bots/thread"];

/**
 * The runtime in few files without types: it starts in a fifth of the time that the loader of
 * TypeScript needs, and a run starts it a thousand times.
 */
export async function builtProgram(): Promise<Program> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, "crash-"));
  await build({
    absWorkingDir: ROOT,
    entryPoints: [MAIN, BOT, ...THREADS].map((path) => `${path}.ts`),
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
    command: [join(folder, `${MAIN}.js`)],
    bot: join(folder, `${BOT}.js`),
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
