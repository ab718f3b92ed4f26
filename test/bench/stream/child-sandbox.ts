import { startSandbox } from "../../../src/sandbox/index.ts";

/** A sandbox in a separate process. */
const sandbox = await startSandbox({
  controlToken: "bench",
  settings: { limits: { enabled: false } },
});
process.stdout.write(`${sandbox.url}\n`);
