/**
 * Bot of a soak test: `FOLDER` has its settings, rules and data. Prints `ready`, and after each line of input
 * `measured` with its measurements.
 */
import { readdirSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { loadSettings } from "../../src/config/load-settings.ts";
import { openLog } from "../../src/runtime/log.ts";
import { openFromSettings } from "../../src/host/open.ts";
import { readRuleFiles } from "../../src/host/open-runtime.ts";

const [folder = ""] = process.argv.slice(2);
const file = join(folder, "answerback.yaml");
const settings = await loadSettings({ cwd: folder, file, environment: {} });
const runtime = await openFromSettings({
  settings,
  folder: settings.store.folder,
  base: folder,
  readRules: () => readRuleFiles(settings.rules, folder),
  environment: {},
  secrets: {},
  log: openLog({ level: "info", destination: { write: (line) => void writeSync(2, line) } }),
});
process.once("SIGTERM", () => {
  void runtime.stop().then(() => process.exit(0));
});
process.stdout.write("ready\n");
for await (const line of createInterface(process.stdin)) {
  if (line !== "measure") continue;
  // Collect garbage first: unreachable memory is not a leak.
  globalThis.gc?.();
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  const handles = readdirSync("/proc/self/fd").length;
  process.stdout.write(`measured ${JSON.stringify({ rss, heapUsed, handles })}\n`);
}
