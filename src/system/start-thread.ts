import { Worker, type WorkerOptions } from "node:worker_threads";

export interface ThreadOptions extends WorkerOptions {
  /**
   * Way in which the worker thread gets the user's modules. `loaded`: by its own TypeScript loader, even in the built
   * package. `compiled`: as JavaScript.
   */
  readonly userModules?: "compiled" | "loaded";
}

/**
 * Starts a worker thread of this package, from source or built.
 *
 * A worker thread inherits no TypeScript loader from the main thread. Its program therefore begins with two lines that
 * register a loader and import the module.
 *
 * @param module URL of the module without its ending: `new URL("./thread", import.meta.url)`.
 */
export function startThread(module: URL, options: ThreadOptions = {}): Worker {
  const { userModules, ...workerOptions } = options;
  const fromSource = import.meta.url.endsWith(".ts");
  const file = `${module.href}.${fromSource ? "ts" : "js"}`;
  if (!fromSource && userModules === undefined) return new Worker(new URL(file), workerOptions);
  const code = [
    ...(fromSource || userModules === "loaded" ? registerLoader() : []),
    ...(userModules === undefined ? [] : [offerThisPackage(fromSource ? ".ts" : ".js")]),
    `await import(${JSON.stringify(file)});`,
  ].join("\n");
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), {
    ...workerOptions,
    execArgv: fromSource ? ["--conditions=answerback-source"] : [],
  });
}

/** Returns lines of code that register the TypeScript loader `tsx`. */
function registerLoader(): readonly string[] {
  return [
    `import { register as forImport } from ${JSON.stringify(import.meta.resolve("tsx/esm/api"))};`,
    `import { register as forRequire } from ${JSON.stringify(import.meta.resolve("tsx/cjs/api"))};`,
    `forImport();`,
    // Without this line, TypeScript outside a package of type "module" can't be imported.
    `forRequire();`,
  ];
}

/**
 * Returns the line that lets modules in any folder import this package by name. A project that runs by `npx` has no
 * copy of the package; an installed copy takes precedence.
 *
 * Modules that import only functions for defining bots get a part of the package, because loading the whole package
 * takes a worker thread half a second and 60 MB.
 */
function offerThisPackage(ending: string): string {
  const authoring = new URL(`../bots/authoring${ending}`, import.meta.url).href;
  const url = `data:text/javascript,${encodeURIComponent(HOOK)}`;
  const hookData = JSON.stringify({ authoring, parent: import.meta.url });
  return `(await import(${JSON.stringify(url)})).offer(${hookData});`;
}

/**
 * Code of a module that resolves imports of this package's name. It runs in the worker thread itself from Node 22.15
 * on, else in Node's thread for loader hooks.
 */
const HOOK = `
import { readFileSync } from "node:fs";
import * as module from "node:module";
const LIGHT = /^(type |(createBot|createComposer|createThread|defineBot|defineState)$|(Credential|Login|Platform|Protocol|RateLimit|StepCutOff|Thread|Unreachable|Usage)Error$|(Bot|BotAccount|BotClient|BotContext|Handler|HandOverOptions|Handlers|Middleware|SendNowOptions|SendOutcome)$)/;
let given;
function takesOnlyAuthoring(url) {
  let text;
  try {
    text = readFileSync(new URL(url), "utf8");
  } catch {
    return false;
  }
  const lists = [...text.matchAll(/import\\s+(type\\s*)?\\{([^{}]*)\\}\\s*from\\s*["']answerback["']/g)];
  const isAll = lists.length > 0 && lists.length === text.match(/["']answerback["']/g).length;
  return isAll && lists.every(([, type, names]) => type !== undefined ||
    names.split(",").map((name) => name.trim()).every((name) => name === "" || LIGHT.test(name)));
}
export function initialize(data) {
  given = data;
}
export function resolve(specifier, context, next) {
  if (!/^answerback(\\/|$)/.test(specifier)) return next(specifier, context);
  if (specifier === "answerback" && takesOnlyAuthoring(context.parentURL)) {
    return next(given.authoring, context);
  }
  const ours = () => next(specifier, { ...context, parentURL: given.parent });
  try {
    const found = next(specifier, context);
    return typeof found.then === "function" ? found.catch(ours) : found;
  } catch {
    return ours();
  }
}
export function offer(data) {
  initialize(data);
  if (module.registerHooks !== undefined) module.registerHooks({ resolve });
  else module.register(import.meta.url, { data });
}`;
