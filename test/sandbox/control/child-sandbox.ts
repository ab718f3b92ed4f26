import { readyLine, startSandbox } from "../../../src/sandbox/index.ts";

/** Starts a sandbox that keeps its world in the named file, until it is killed. */
process.stdout.write(`${readyLine(await startSandbox({ state: process.argv[2] ?? "" }))}\n`);
