import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { contentHash } from "../../system/content-hash.ts";
import { startThread } from "../../system/start-thread.ts";
import type { CompileAnswer, ModuleGraph, ServedModules } from "./compiled-graph.ts";

/** Maximum duration of a compilation in milliseconds. After it, the TypeScript loader is used. */
const COMPILE_MS = 15_000;

/** Cache of module graphs by the path of the entry module, for when bots are loaded again (reload, crash). */
const graphs = new Map<string, ModuleGraph>();

/**
 * Compiles modules and their imports. A module is compiled again only if it or one of its imports has changed.
 *
 * @param files Absolute paths.
 * @returns undefined if the modules need the TypeScript loader, because one of them can't be compiled.
 */
export async function compileModules(files: readonly string[]): Promise<ServedModules | undefined> {
  // A thread without bot modules may later import modules for `call` steps, which needs the TypeScript loader.
  if (files.length === 0) return undefined;
  const code: Record<string, string> = {};
  const imports: Record<string, Readonly<Record<string, string>>> = {};
  for (const graph of await currentGraphs(files)) {
    if (graph?.served === undefined) return undefined;
    Object.assign(code, graph.served.code);
    Object.assign(imports, graph.served.imports);
  }
  return { code, imports };
}

/**
 * Returns modules and the files that they import, except packages. A file that is imported but missing is in the list,
 * as the import names it. Without a compiler: only the modules.
 *
 * @param files Absolute paths of modules.
 */
export async function filesOfModules(files: readonly string[]): Promise<readonly string[]> {
  const all = await currentGraphs(files);
  const imported = all.flatMap((graph) => Object.keys(graph?.inputs ?? {}));
  return [...new Set([...files, ...imported])].filter((file) => basename(file) !== "tsconfig.json");
}

/** Returns the graph of each module; undefined if the compiler has failed or took too long. */
async function currentGraphs(
  files: readonly string[],
): Promise<readonly (ModuleGraph | undefined)[]> {
  const isFresh = await Promise.all(files.map(isUnchanged));
  const changedFiles = files.filter((_, index) => isFresh[index] !== true);
  if (changedFiles.length > 0) {
    const answer = await compile(changedFiles);
    for (const [index, file] of changedFiles.entries()) {
      const graph = answer[index];
      if (graph === undefined) graphs.delete(file);
      else graphs.set(file, graph);
    }
  }
  return files.map((file) => graphs.get(file));
}

async function isUnchanged(file: string): Promise<boolean> {
  const graph = graphs.get(file);
  if (graph === undefined || graph.isBroken) return false;
  const checks = Object.entries(graph.inputs).map(([path, hash]) =>
    readFile(path, "utf8").then(
      (text) => contentHash(text) === hash,
      () => false,
    ),
  );
  return (await Promise.all(checks)).every(Boolean);
}

/** Compiles module graphs, in the order of `files`. The result is empty if the compiler fails or takes too long. */
function compile(files: readonly string[]): Promise<CompileAnswer> {
  return new Promise((resolve) => {
    const thread = startThread(new URL("./compile-thread", import.meta.url), {
      workerData: { files },
    });
    const end = (answer: CompileAnswer): void => {
      clearTimeout(timer);
      void thread.terminate();
      resolve(answer);
    };
    const timer = setTimeout(() => end([]), COMPILE_MS);
    thread.on("message", end);
    // Compiling fails, for example, if esbuild is missing for this platform. The loader then reports the error.
    thread.on("error", () => end([]));
    thread.on("exit", () => end([]));
  });
}
