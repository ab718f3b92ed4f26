import { existsSync, readFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { fileURLToPath } from "node:url";
import type { ServedModules } from "./compiled-graph.ts";
import { moduleOptions } from "./module-options.ts";

interface ResolveContext {
  readonly parentURL?: string;
}
interface Resolved {
  readonly url: string;
  readonly format?: string;
  readonly shortCircuit?: boolean;
}
interface LoadContext {
  readonly importAttributes?: Readonly<Record<string, string>>;
}
interface Loaded {
  readonly format: string;
  readonly source: string;
  readonly shortCircuit?: boolean;
}
/** Result of the next hook: a promise in Node's thread for loader hooks. */
type Later<T> = T | Promise<T>;
type Resolve = (specifier: string, context: ResolveContext) => Later<Resolved>;
type Load = (url: string, context: LoadContext) => Later<Loaded>;
/** Functions of `node:module` that register hooks. Node has `registerHooks` since version 22.15. */
interface Hooking {
  readonly registerHooks?: (hooks: { resolve: typeof resolve; load: typeof load }) => void;
  readonly register: (module: string, options: { readonly data: ServedModules }) => void;
}

const TYPESCRIPT = /^file:.*\.(m?ts|[jt]sx)$/;
const COMMON_JS_TYPESCRIPT = /^file:.*\.cts$/;

let served: ServedModules = { code: {}, imports: {} };
const compiledLater = new Set<string>();

/**
 * Makes Node load compiled modules in this thread. TypeScript files that are imported by a computed path are compiled
 * when they are imported.
 *
 * The hooks run in the thread itself from Node 22.15 on, else in Node's thread for loader hooks.
 */
export function serveModules(data: ServedModules): void {
  const { registerHooks, register } = nodeModule as unknown as Hooking;
  if (registerHooks === undefined) register(import.meta.url, { data });
  else {
    initialize(data);
    registerHooks({ resolve, load });
  }
  process.setSourceMapsEnabled(true);
}

/** Stores the modules that the hooks serve. Node calls it in the thread for loader hooks. */
export function initialize(data: ServedModules): void {
  served = data;
}

/** Hook of Node that resolves an import. */
export function resolve(
  specifier: string,
  context: ResolveContext,
  next: Resolve,
): Later<Resolved> {
  const { parentURL = "" } = context;
  const url = own(own(served.imports, parentURL) ?? {}, specifier);
  if (url !== undefined) return { url, shortCircuit: true };
  const typescriptInstead = (error: unknown): Resolved => {
    const typescriptUrl = isAuthors(parentURL) ? typescriptAt(specifier, parentURL) : undefined;
    if (typescriptUrl === undefined) throw error;
    return { url: typescriptUrl, shortCircuit: true };
  };
  try {
    const resolved = next(specifier, context);
    return resolved instanceof Promise ? resolved.catch(typescriptInstead) : resolved;
  } catch (error) {
    return typescriptInstead(error);
  }
}

/** Hook of Node that returns the code of a module. */
export function load(url: string, context: LoadContext, next: Load): Later<Loaded> {
  if (context.importAttributes?.["type"] === "json") return next(url, context);
  const [file = url] = url.split(/[?#]/);
  const source = own(served.code, file);
  if (source !== undefined) return { format: "module", source, shortCircuit: true };
  if (COMMON_JS_TYPESCRIPT.test(file)) throw new Error(refusalOf(file));
  if (!TYPESCRIPT.test(file)) return next(url, context);
  compiledLater.add(file);
  return { format: "module", source: compiled(fileURLToPath(file)), shortCircuit: true };
}

function isAuthors(url: string): boolean {
  return Object.hasOwn(served.code, url) || compiledLater.has(url);
}

function own<T>(values: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

/**
 * Returns the URL of the TypeScript file that a relative import means. The import may have no extension, or `.js`
 * instead of `.ts`.
 */
function typescriptAt(specifier: string, parent: string): string | undefined {
  if (!/^\.{0,2}\/|^file:/.test(specifier)) return undefined;
  const { href } = new URL(specifier, parent);
  const candidates = [
    href.replace(/js(x?)$/, "ts$1"),
    ...[".ts", ".tsx", ".mts", "/index.ts"].map((ending) => href + ending),
  ];
  return candidates.find((url) => TYPESCRIPT.test(url) && existsSync(new URL(url)));
}

function compiled(path: string): string {
  // esbuild is loaded only here, because few threads import TypeScript files by a computed path.
  const esbuild: typeof import("esbuild") = nodeModule.createRequire(import.meta.url)("esbuild");
  return esbuild.transformSync(readFileSync(path, "utf8"), moduleOptions(path)).code;
}

function refusalOf(url: string): string {
  return `${fileURLToPath(url)} is CommonJS and is imported with a computed path; rename it to .ts and write import and export in it`;
}
