import { parentPort, workerData } from "node:worker_threads";
import { compileGraph } from "./compile-graph.ts";
import type { CompileAnswer, CompileRequest } from "./compiled-graph.ts";

/**
 * Entry point of the worker thread that compiles bot modules. When the thread ends, the compiler's memory is released.
 */
const { files }: CompileRequest = workerData;
const answer: CompileAnswer = await Promise.all(files.map(compileGraph));
parentPort?.postMessage(answer, []);
