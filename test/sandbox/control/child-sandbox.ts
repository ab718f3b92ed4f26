import { readyLine, startSandbox } from "../../../src/sandbox/index.ts";

/** Starts a sandbox that saves its state in the file of the first argument. It runs until it is killed. */
process.stdout.write(`${readyLine(await startSandbox({ state: process.argv[2] ?? "" }))}\n`);
