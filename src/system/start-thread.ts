import { Worker, type WorkerOptions } from "node:worker_threads";

export interface ThreadOptions extends WorkerOptions {
  /** The thread imports TypeScript of the user's: it needs the loader even in the built package. */
  readonly typescript?: boolean;
}

/**
 * Starts a thread of ours, from source or built alike.
 *
 * Node gives a thread no TypeScript loader of its own, whatever the main thread runs under; so the
 * thread begins with two lines that register one and then import the module.
 *
 * @param module URL of the module without its ending: `new URL("./thread", import.meta.url)`.
 */
export function startThread(module: URL, options: ThreadOptions = {}): Worker {
  const { typescript = false, ...workerOptions } = options;
  const fromSource = import.meta.url.endsWith(".ts");
  const file = `${module.href}.${fromSource ? "ts" : "js"}`;
  if (!fromSource && !typescript) return new Worker(new URL(file), workerOptions);
  const code = [
    `import { register as forImport } from ${JSON.stringify(import.meta.resolve("tsx/esm/api"))};`,
    `import { register as forRequire } from ${JSON.stringify(import.meta.resolve("tsx/cjs/api"))};`,
    `forImport();`,
    // Without it, TypeScript outside a package of type "module" can't be imported.
    `forRequire();`,
    ...(typescript ? [offerThisPackage()] : []),
    `await import(${JSON.stringify(file)});`,
  ].join("\n");
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), {
    ...workerOptions,
    execArgv: fromSource ? ["--conditions=source"] : [],
  });
}

/**
 * A line that lets modules import this package by its name wherever they lie: a project that runs by
 * `npx` has it in no folder of its own. One that is installed there comes first.
 */
function offerThisPackage(): string {
  const hook = `export async function resolve(specifier, context, next) {
    if (!/^answerback(\\/|$)/.test(specifier)) return next(specifier, context);
    return next(specifier, context).catch(() =>
      next(specifier, { ...context, parentURL: ${JSON.stringify(import.meta.url)} }));
  }`;
  const url = `data:text/javascript,${encodeURIComponent(hook)}`;
  return `(await import("node:module")).register(${JSON.stringify(url)});`;
}
