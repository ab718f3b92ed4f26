import { existsSync, readFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { fileURLToPath } from "node:url";
import type { ServedModules } from "./compiled-graph.ts";
import { moduleOptions } from "./module-options.ts";

/** Hooks of `module.registerHooks`, which Node has from 22.15 on. */
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

/** Serves compiled modules to this thread, and compiles TypeScript that an import with a computed path reaches. */
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

/** URL of the TypeScript file that a relative import without an extension, or with one of JavaScript, refers to. */
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
  // Loaded here because most threads never need the compiler.
  const esbuild: typeof import("esbuild") = nodeModule.createRequire(import.meta.url)("esbuild");
  return esbuild.transformSync(readFileSync(path, "utf8"), moduleOptions(path)).code;
}

function refusalOf(url: string): string {
  return `${fileURLToPath(url)} is CommonJS and is imported with a computed path; rename it to .ts and write import and export in it`;
}
