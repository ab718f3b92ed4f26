import { Worker, type WorkerOptions } from "node:worker_threads";
import { inject } from "vitest";

const ROOT = new URL("../../", import.meta.url).href;

/** Stands in for `system/start-thread.ts` where the store starts its thread: the same code, bundled. */
export function startThread(module: URL, options: WorkerOptions = {}): Worker {
  const path = module.href.slice(ROOT.length);
  return new Worker(`${inject("prebuilt")}/${path}.js`, options);
}
