import { createInterface } from "node:readline";
import { startSandbox } from "../../../src/sandbox/index.ts";

/** Starts a sandbox from a state file in a separate process, which answers `memory` and `close` on stdin. */
const started = performance.now();
const sandbox = await startSandbox({
  state: process.argv[2] ?? "",
  controlToken: "bench",
  settings: { limits: { enabled: false } },
});
tell({ url: sandbox.url, seconds: (performance.now() - started) / 1_000 });

for await (const line of createInterface(process.stdin)) {
  if (line === "memory") {
    globalThis.gc?.();
    const { heapUsed, external, rss } = process.memoryUsage();
    tell({ heap: heapUsed + external, rss });
  } else if (line === "close") {
    const closing = performance.now();
    await sandbox.close();
    tell({ seconds: (performance.now() - closing) / 1_000 });
    process.exit(0);
  }
}

function tell(what: object): void {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}

await sandbox.close();
process.exit(0);
