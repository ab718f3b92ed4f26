import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions, type Metafile, type Plugin } from "esbuild";

/** Absolute, with a slash at its end. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Threads in which none but our own code runs. */
export const THREADS = [
  "src/rehearsal/backtest/side-thread",
  "src/runtime/store/sqlite/backup/thread",
  "src/runtime/store/sqlite/thread",
] as const;

export interface BundleOptions extends Pick<
  BuildOptions,
  "outdir" | "outbase" | "splitting" | "chunkNames" | "minifySyntax" | "minifyWhitespace"
> {
  /** Paths from the repository's root, without `.ts`. */
  readonly programs: readonly string[];
  /** An expression for the URL that a module would have without bundling. */
  readonly addressOf: (path: string) => string;
  /** What each file begins with, besides. */
  readonly banner?: string;
}

/**
 * Bundles programs with all that they import, packages included: a start reads a few files, not hundreds.
 *
 * Each module keeps the address that it has without bundling, since threads and files are found by it.
 */
export async function bundle(options: BundleOptions): Promise<Metafile> {
  const { programs, addressOf, banner = "", ...rest } = options;
  const { metafile } = await build({
    ...rest,
    metafile: true,
    absWorkingDir: ROOT,
    entryPoints: programs.map((program) => `${program}.ts`),
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["source"],
    external: ["libsql", "tsx", "esbuild"],
    banner: { js: `${COMMON_JS}\n${banner}` },
    define: { "import.meta.url": "addressOfModule" },
    plugins: [addresses(addressOf)],
    logLevel: "warning",
  });
  return metafile;
}

/** What packages that are CommonJS find in their scope. */
const COMMON_JS = [
  'import { createRequire as requireOf } from "node:module";',
  "const require = requireOf(import.meta.url);",
  "const __filename = new URL(import.meta.url).pathname;",
  'const __dirname = new URL(".", import.meta.url).pathname;',
  "const bundleAddress = import.meta.url;",
].join("\n");

const addresses = (addressOf: (path: string) => string): Plugin => ({
  name: "addresses",
  setup(build) {
    build.onLoad({ filter: /\.[cm]?[jt]s$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      if (!text.includes("import.meta.url")) return undefined;
      const isOurs = !path.includes("/node_modules/");
      const at = isOurs ? addressOf(relative(ROOT, path)) : "bundleAddress";
      const address = `const addressOfModule = ${at};`;
      return { contents: `${address}\n${text}`, loader: path.endsWith("ts") ? "ts" : "js" };
    });
  },
});
