import { pathToFileURL } from "node:url";
import type { Worker } from "node:worker_threads";
import { inject } from "vitest";
import type { ThreadOptions } from "../../src/system/start-thread.ts";

const ROOT = new URL("../../", import.meta.url).href;
const FOLDER = pathToFileURL(inject("prebuilt")).href;

interface Prebuilt {
  startThread(module: URL, options?: ThreadOptions): Worker;
}
const prebuilt: Prebuilt = await import(`${FOLDER}/src/system/start-thread.js`);

/** Replaces `system/start-thread.ts` in tests: starts a worker thread from its bundled module. */
export function startThread(module: URL, options: ThreadOptions = {}): Worker {
  return prebuilt.startThread(new URL(`${FOLDER}/${module.href.slice(ROOT.length)}`), options);
}
