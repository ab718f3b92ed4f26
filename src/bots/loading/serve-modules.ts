import { existsSync, readFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { fileURLToPath } from "node:url";
import type { ServedModules } from "./compiled-graph.ts";
import { moduleOptions } from "./module-options.ts";

/** Hooks for `module.registerHooks`, which Node has since version 22.15. */
interface Hooks {
  resolve(specifier: string, context: ResolveContext, next: Resolve): Resolved;
  load(url: string, context: LoadContext, next: Load): Loaded;
}
interface ResolveContext {
  readonly parentURL?: string;
}
interface Resolved {
  readonly url: string;
  readonly format?: string;
  readonly shortCircuit?: boolean;
}
type Resolve = (specifier: string, context: ResolveContext) => Resolved;
interface LoadContext {
  readonly importAttributes?: Readonly<Record<string, string>>;
}
interface Loaded {
  readonly format: string;
  readonly source: string;
  readonly shortCircuit?: boolean;
}
type Load = (url: string, context: LoadContext) => Loaded;

const TYPESCRIPT = /^file:.*\.(m?ts|[jt]sx)$/;
const COMMON_JS_TYPESCRIPT = /^file:.*\.cts$/;

/**
 * Makes Node load compiled modules in this thread. TypeScript files that are imported by a computed path are compiled
 * when they are imported.
 */
export function serveModules({ code, imports }: ServedModules): void {
  if (!("registerHooks" in nodeModule)) throw new Error("this Node has no module.registerHooks");
  const node = nodeModule as unknown as { registerHooks(hooks: Hooks): void };
  const compiledLater = new Set<string>();
  const isAuthors = (url: string): boolean => Object.hasOwn(code, url) || compiledLater.has(url);
  node.registerHooks({
    resolve(specifier, context, next) {
      const { parentURL = "" } = context;
      const url = own(own(imports, parentURL) ?? {}, specifier);
      if (url !== undefined) return { url, shortCircuit: true };
      try {
        return next(specifier, context);
      } catch (error) {
        const typescriptUrl = isAuthors(parentURL) ? typescriptAt(specifier, parentURL) : undefined;
        if (typescriptUrl === undefined) throw error;
        return { url: typescriptUrl, shortCircuit: true };
      }
    },
    load(url, context, next) {
      if (context.importAttributes?.["type"] === "json") return next(url, context);
      const [file = url] = url.split(/[?#]/);
      const source = own(code, file);
      if (source !== undefined) return { format: "module", source, shortCircuit: true };
      if (COMMON_JS_TYPESCRIPT.test(file)) throw new Error(refusalOf(file));
      if (!TYPESCRIPT.test(file)) return next(url, context);
      compiledLater.add(file);
      return { format: "module", source: compiled(fileURLToPath(file)), shortCircuit: true };
    },
  });
  process.setSourceMapsEnabled(true);
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
