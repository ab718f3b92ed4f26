import { build, type Metafile, transform } from "esbuild";
import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { dirname, extname, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { contentHash } from "../../system/content-hash.ts";
import type { CompiledGraph } from "./compiled-graph.ts";
import { moduleOptions } from "./module-options.ts";

/** File extensions of modules that can be compiled. `.cts` and `.cjs` are missing, because they are CommonJS. */
const ENDINGS = /\.([mc]?[jt]s|[jt]sx|json)$/;
/** Matches names that exist only in CommonJS modules, such as `require(` and `__dirname`. */
const COMMON_JS = /\brequire\s*[(.]|\bmodule\.exports\b|\bexports\.|\b__(dirname|filename)\b/;
/** Matches settings of a `tsconfig.json` that change how code is compiled or resolved. */
const SPECIAL_SETTINGS =
  /"(extends|paths|baseUrl|\w*[dD]ecorator\w*|useDefineForClassFields|jsx\w*|preserveValueImports|importsNotUsedAsValues)"/;

type Input = Metafile["inputs"][string];

/**
 * Compiles a module and its imports, except packages. Each module is compiled separately, so `import.meta.url` and the
 * lines of stack traces are those of its file.
 *
 * @param file Absolute path.
 * @returns undefined if the graph needs the TypeScript loader: for CommonJS, for special settings of TypeScript, and
 * for errors, which the loader then reports.
 */
export async function compileGraph(file: string): Promise<CompiledGraph | undefined> {
  const settings = await settingsFor(file);
  if (settings !== undefined && SPECIAL_SETTINGS.test(settings.text)) return undefined;
  const tsconfigRaw = settings?.text ?? "{}";
  const inputs = await inputsOf(file, tsconfigRaw);
  if (inputs === undefined) return undefined;
  const hashes: Record<string, string> = {};
  if (settings !== undefined) hashes[settings.path] = contentHash(settings.text);
  const code: Record<string, string> = {};
  const imports: Record<string, Record<string, string>> = {};
  for (const [path, input] of inputs) {
    const text = await readFile(path, "utf8");
    if (await needsLoader(path, input, text)) return undefined;
    const { href } = pathToFileURL(path);
    const options = { ...moduleOptions(path), tsconfigRaw };
    // The compiler may fail for a file that has just been edited. The loader then reports the error.
    const compiled = await transform(text, options).catch(() => undefined);
    if (compiled === undefined) return undefined;
    hashes[path] = contentHash(text);
    code[href] = compiled.code;
    imports[href] = Object.fromEntries(
      input.imports.flatMap(({ original, path: target, external }) =>
        original === undefined || external === true
          ? []
          : [[original, pathToFileURL(resolve(target)).href]],
      ),
    );
  }
  return { inputs: hashes, code, imports };
}

/** Returns a module and the files that it imports, by absolute path; undefined if one of them has errors. */
async function inputsOf(
  file: string,
  tsconfigRaw: string,
): Promise<readonly (readonly [string, Input])[] | undefined> {
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
  }).catch(() => undefined);
  if (built === undefined) return undefined;
  return Object.entries(built.metafile.inputs).map(
    ([path, input]) => [resolve(path), input] as const,
  );
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
