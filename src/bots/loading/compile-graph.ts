import { build, type Metafile, type Plugin, transform } from "esbuild";
import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { dirname, extname, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { contentHash } from "../../system/content-hash.ts";
import type { ModuleGraph, ServedModules } from "./compiled-graph.ts";
import { moduleOptions } from "./module-options.ts";

/** File extensions of modules that can be compiled. `.cts` and `.cjs` are missing, because they are CommonJS. */
const ENDINGS = /\.([mc]?[jt]s|[jt]sx|json)$/;
/** Matches names that exist only in CommonJS modules, such as `require(` and `__dirname`. */
const COMMON_JS = /\brequire\s*[(.]|\bmodule\.exports\b|\bexports\.|\b__(dirname|filename)\b/;
/** Matches settings of a `tsconfig.json` that change how code is compiled or resolved. */
const SPECIAL_SETTINGS =
  /"(extends|paths|baseUrl|\w*[dD]ecorator\w*|useDefineForClassFields|jsx\w*|preserveValueImports|importsNotUsedAsValues)"/;

type Input = Metafile["inputs"][string];
/** Imports of each file of a graph, by the file's absolute path. */
type Inputs = readonly (readonly [string, Input])[];

/**
 * Finds a module and its imports, except packages, and compiles them. Each module is compiled separately, so
 * `import.meta.url` and the lines of stack traces are those of its file.
 *
 * A graph is not compiled, but left to the TypeScript loader, if it contains CommonJS, for special settings of
 * TypeScript, and for errors, which the loader then reports.
 *
 * @param file Absolute path.
 */
export async function compileGraph(file: string): Promise<ModuleGraph> {
  const settings = await settingsFor(file);
  const tsconfigRaw = settings?.text ?? "{}";
  const { paths, inputs } = await inputsOf(file, tsconfigRaw);
  const texts = new Map<string, string>();
  for (const path of paths) texts.set(path, (await textOf(path)) ?? "");
  const isSpecial = SPECIAL_SETTINGS.test(tsconfigRaw);
  const served = isSpecial || !inputs ? undefined : await compiled(inputs, texts, tsconfigRaw);
  if (settings !== undefined) texts.set(settings.path, settings.text);
  const hashes = [...texts].map(([path, text]) => [path, contentHash(text)]);
  return {
    inputs: Object.fromEntries(hashes),
    ...(served && { served }),
    isBroken: inputs === undefined,
  };
}

/** Compiles the files of a graph. @returns undefined if the graph needs the TypeScript loader. */
async function compiled(
  inputs: Inputs,
  texts: ReadonlyMap<string, string>,
  tsconfigRaw: string,
): Promise<ServedModules | undefined> {
  const code: Record<string, string> = {};
  const imports: Record<string, Record<string, string>> = {};
  for (const [path, input] of inputs) {
    const text = texts.get(path) ?? "";
    if (await needsLoader(path, input, text)) return undefined;
    const { href } = pathToFileURL(path);
    const options = { ...moduleOptions(path), tsconfigRaw };
    // The compiler may fail for a file that has just been edited. The loader then reports the error.
    const one = await transform(text, options).catch(() => undefined);
    if (one === undefined) return undefined;
    code[href] = one.code;
    imports[href] = Object.fromEntries(
      input.imports.flatMap(({ original, path: target, external }) =>
        original === undefined || external === true
          ? []
          : [[original, pathToFileURL(resolve(target)).href]],
      ),
    );
  }
  return { code, imports };
}

/**
 * Finds the files of a graph: `paths` are those of the module and of its relative imports, also of missing files.
 * `inputs` is undefined if a file has errors or is missing.
 */
async function inputsOf(
  file: string,
  tsconfigRaw: string,
): Promise<{ readonly paths: Iterable<string>; readonly inputs: Inputs | undefined }> {
  const tried = new Set([file]);
  const built = await build({
    entryPoints: [file],
    bundle: true,
    packages: "external",
    metafile: true,
    write: false,
    format: "esm",
    platform: "node",
    // esbuild requires an output folder if there are several outputs, but nothing is written to it.
    outdir: dirname(file),
    logLevel: "silent",
    tsconfigRaw,
    plugins: [noting(tried)],
  }).catch(() => undefined);
  if (built === undefined) return { paths: tried, inputs: undefined };
  const inputs = Object.entries(built.metafile.inputs).map(
    ([path, input]) => [resolve(path), input] as const,
  );
  return { paths: inputs.map(([path]) => path), inputs };
}

/** Creates a plugin that adds to `paths` each file that is read, and each relative import without its resolution. */
function noting(paths: Set<string>): Plugin {
  return {
    name: "noting",
    setup(building) {
      building.onLoad({ filter: /./ }, ({ path }) => void paths.add(path));
      building.onResolve(
        { filter: /^\.{0,2}\// },
        ({ path, resolveDir }) => void paths.add(resolve(resolveDir, path)),
      );
    },
  };
}

/** Returns path and text of the tsconfig.json that the loader would use for a file, if there is one. */
async function settingsFor(file: string): Promise<{ path: string; text: string } | undefined> {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const path = resolve(folder, "tsconfig.json");
    const text = await textOf(path);
    if (text !== undefined) {
      const isBelow = file.startsWith(folder.endsWith(sep) ? folder : folder + sep);
      return isBelow ? { path, text } : undefined;
    }
    if (folder === dirname(folder)) return undefined;
  }
}

/** Whether a module needs the TypeScript loader, because it would behave differently when compiled to an ES module. */
async function needsLoader(path: string, input: Input, text: string): Promise<boolean> {
  const ending = extname(path);
  if (!ENDINGS.test(ending) || ending.startsWith(".c") || input.format === "cjs") return true;
  if (ending === ".json") return false;
  if (COMMON_JS.test(text)) return true;
  if (ending.startsWith(".m")) return false;
  // A package may export different code for `require` than for `import`, so CommonJS modules need the loader.
  return input.imports.some(isPackage) && !(await isOfModulePackage(path));
}

function isPackage({ path, external }: Input["imports"][number]): boolean {
  return external === true && !isBuiltin(path) && !/^answerback(\/|$)/.test(path);
}

/** Whether the nearest package.json has the type "module". */
async function isOfModulePackage(path: string): Promise<boolean> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const text = await textOf(resolve(folder, "package.json"));
    if (text !== undefined) return /"type"\s*:\s*"module"/.test(text);
    if (folder === dirname(folder)) return false;
  }
}

/** Returns the text of a file; undefined if it can't be read. */
function textOf(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(() => undefined);
}
