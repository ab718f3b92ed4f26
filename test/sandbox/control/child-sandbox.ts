import { readyLine, startSandbox } from "../../../src/sandbox/index.ts";

/** A sandbox that keeps its world in the file named, until it is killed. */
process.stdout.write(`${readyLine(await startSandbox({ state: process.argv[2] ?? "" }))}\n`);
