import { isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type OutputChunk, type Plugin, rolldown, type RolldownOptions } from "rolldown";

/** Absolute path of the repository with a final slash. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Modules of worker threads that run only this package's code. */
export const THREADS = [
  "src/bots/loading/compile-thread",
  "src/insight/rehearsal/backtest/side-thread",
  "src/runtime/store/move/thread",
  "src/runtime/store/sqlite/backup/thread",
  "src/runtime/store/sqlite/thread",
] as const;

/** Modules that are put into one file, with all their imports. */
export interface ReadTogether {
  readonly name: string;
  /** Paths from the repository's root, without `.ts`. */
  readonly modules: readonly string[];
}

export interface BundleOptions {
  /** Paths from the repository's root, without `.ts`. */
  readonly programs: readonly string[];
  /** Absolute path of the output folder. */
  readonly folder: string;
  /** Returns a program's output path in the folder, without `.js`. */
  readonly nameOf: (program: string) => string;
  /** Output paths of shared files, with `[name]` and `[hash]` as placeholders. */
  readonly partNames: string;
  /** Modules to keep in one file, however many programs share them; earlier entries take precedence. */
  readonly together?: readonly ReadTogether[];
  /** Returns the JavaScript expression that replaces a module's `import.meta.url`: the URL it would have unbundled. */
  readonly addressOf: (path: string) => string;
  /** Additional text at the beginning of each file. */
  readonly banner?: string;
  /**
   * Omits blanks and line breaks, and shortens the names of variables. Functions and classes keep their names, which
   * stack traces show. Saves a third of the bytes.
   */
  readonly isCompact?: boolean;
  /** Leaves all packages except {@link ALWAYS_BUNDLED} as imports. Default: only packages that can't be bundled. */
  readonly importsPackages?: boolean;
  /** Absolute paths of the modules that replace packages, by package name. */
  readonly standIns?: Readonly<Record<string, string>>;
}

/**
 * Bundles programs with all their imports, so that a start reads a few files instead of hundreds.
 *
 * Each module keeps its unbundled URL, because the code locates worker threads and files by this URL.
 */
export async function bundle(options: BundleOptions): Promise<readonly OutputChunk[]> {
  const { programs, folder, nameOf, partNames, together = [], addressOf, banner = "" } = options;
  const { standIns = {}, importsPackages = false, isCompact = false } = options;
  const bundled = await rolldown({
    ...COMMON,
    external: importsPackages
      ? (id, importer) => isPackage(id, importer) && !ALWAYS_BUNDLED.test(id)
      : UNBUNDLED,
    input: Object.fromEntries(programs.map((program) => [nameOf(program), `${program}.ts`])),
    plugins: [addresses(addressOf), instead(standIns), WITHOUT_TABLES],
  });
  const { output } = await bundled.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: partNames,
    comments: { legal: false, annotation: false, jsdoc: false },
    minify: isCompact && {
      compress: { target: "node20", keepNames: { function: true, class: true } },
      mangle: { keepNames: { function: true, class: true } },
      codegen: { removeWhitespace: true },
    },
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
  const chunks = output.filter((file) => file.type === "chunk");
  const ids = new Set(chunks.flatMap(({ moduleIds }) => moduleIds));
  for (const module of together.flatMap(({ modules }) => modules)) {
    if (!ids.has(`${ROOT}${module}.ts`)) throw new Error(`no program imports ${module}.ts`);
  }
  return chunks;
}

const UNBUNDLED = /^(esbuild|libsql|tsx)(\/|$)/;
/**
 * Packages that are always bundled. As a package, zod takes each thread with bots 9 MB, and 160 ms of processor time on
 * Node 20, because it has 95 files. The bundler adds imports of `@oxc-project/runtime`, which is no dependency: the
 * bundler itself has its code.
 */
const ALWAYS_BUNDLED = /^(zod|@oxc-project\/runtime)(\/|$)/;

/** Whether an import is a package or a Node module. Entry programs have no importer. */
export const isPackage = (id: string, importer?: string): boolean =>
  importer !== undefined && !id.startsWith(".") && !isAbsolute(id);

const COMMON: RolldownOptions = {
  cwd: ROOT,
  platform: "node",
  resolve: { conditionNames: ["answerback-source"] },
  // Some dynamic imports end up in the importer's own file, which is intended: no warning.
  checks: { ineffectiveDynamicImport: false },
  transform: { target: "node20", define: { "import.meta.url": "addressOfModule" } },
};

/** Definitions of variables that CommonJS packages expect in their scope. */
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

/**
 * Omits the tables of East Asian encodings that `iconv-lite` has for request bodies: 0.6 MB. Express refuses JSON in
 * such an encoding with 415 before it needs a table.
 */
const WITHOUT_TABLES: Plugin = {
  name: "without-tables",
  load: {
    filter: { id: /\/iconv-lite\/encodings\/dbcs-data\.js$/ },
    handler: () => "module.exports = {};",
  },
};

const instead = (standIns: Readonly<Record<string, string>>): Plugin => ({
  name: "stand-ins",
  resolveId: (source) => (Object.hasOwn(standIns, source) ? standIns[source] : undefined),
});
