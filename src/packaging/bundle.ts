import { isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type OutputChunk, type Plugin, rolldown, type RolldownOptions } from "rolldown";

/** Absolute, with a slash at its end. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Threads in which none but our own code runs. */
export const THREADS = [
  "src/insight/rehearsal/backtest/side-thread",
  "src/runtime/store/move/thread",
  "src/runtime/store/sqlite/backup/thread",
  "src/runtime/store/sqlite/thread",
] as const;

/** Modules that are read together, with all that they import. */
export interface ReadTogether {
  readonly name: string;
  /** Paths from the repository's root, without `.ts`. */
  readonly modules: readonly string[];
}

export interface BundleOptions {
  /** Paths from the repository's root, without `.ts`. */
  readonly programs: readonly string[];
  /** Absolute path of the folder that they are written to. */
  readonly folder: string;
  /** Where a program's file is in it, without `.js`. */
  readonly nameOf: (program: string) => string;
  /** Where files that programs share are in it; `[name]` and `[hash]` stand for what tells them apart. */
  readonly partNames: string;
  /** What is in one file however many programs share it; what stands first takes precedence. */
  readonly together?: readonly ReadTogether[];
  /** An expression for the URL that a module would have without bundling. */
  readonly addressOf: (path: string) => string;
  /** What each file begins with, besides. */
  readonly banner?: string;
  /** Leaves all packages out: the files import them by name. Default: only packages that can't be bundled. */
  readonly importsPackages?: boolean;
  /** Absolute paths of the modules that stand in for packages, by name. */
  readonly standIns?: Readonly<Record<string, string>>;
}

/**
 * Bundles programs with all that they import: a start reads a few files, not hundreds.
 *
 * Each module keeps the address that it has without bundling, since threads and files are found by it.
 */
export async function bundle(options: BundleOptions): Promise<readonly OutputChunk[]> {
  const { programs, folder, nameOf, partNames, together = [], addressOf, banner = "" } = options;
  const { standIns = {}, importsPackages = false } = options;
  const bundled = await rolldown({
    ...COMMON,
    external: importsPackages ? isPackage : UNBUNDLED,
    input: Object.fromEntries(programs.map((program) => [nameOf(program), `${program}.ts`])),
    plugins: [addresses(addressOf), instead(standIns)],
  });
  const { output } = await bundled.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: partNames,
    comments: { legal: false, annotation: false, jsdoc: false },
    banner: importsPackages ? banner : `${COMMON_JS}\n${banner}`,
    codeSplitting: {
      groups: together.map(({ name, modules }, index) => ({
        name,
        test: (id) => modules.some((module) => id === `${ROOT}${module}.ts`),
        priority: together.length - index,
      })),
    },
  });
  await bundled.close();
  return output.filter((file) => file.type === "chunk");
}

const UNBUNDLED = /^(libsql|tsx)(\/|$)/;

/** Tells whether an import names a package, or a module of Node. Programs have no importer. */
const isPackage = (id: string, importer?: string): boolean =>
  importer !== undefined && !id.startsWith(".") && !isAbsolute(id);

const COMMON: RolldownOptions = {
  cwd: ROOT,
  platform: "node",
  resolve: { conditionNames: ["source"] },
  // That a module is read with another one is what bundling is for.
  checks: { ineffectiveDynamicImport: false },
  transform: { target: "node20", define: { "import.meta.url": "addressOfModule" } },
};

/** What packages that are CommonJS find in their scope. */
const COMMON_JS = [
  'import { fileURLToPath as pathOfBundle } from "node:url";',
  "const __filename = pathOfBundle(import.meta.url);",
  'const __dirname = pathOfBundle(new URL(".", import.meta.url));',
  "const bundleAddress = import.meta.url;",
].join("\n");

const addresses = (addressOf: (path: string) => string): Plugin => ({
  name: "addresses",
  transform: {
    filter: { code: "import.meta.url" },
    handler(code, id) {
      const isOurs = !id.includes("/node_modules/");
      const at = isOurs ? addressOf(relative(ROOT, id)) : "bundleAddress";
      return { code: `const addressOfModule = ${at};\n${code}` };
    },
  },
});

const instead = (standIns: Readonly<Record<string, string>>): Plugin => ({
  name: "stand-ins",
  resolveId: (source) => (Object.hasOwn(standIns, source) ? standIns[source] : undefined),
});
