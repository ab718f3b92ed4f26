/**
 * A process of the bot: `FOLDER` has its settings, rules and data. Prints the address of its webhook when it listens,
 * then `ready`. After SIGUSR2 it prints `stopping` when it next marks items as `sending`, and suspends itself. It ends
 * on request, and when it can't continue.
 */
import { writeSync } from "node:fs";
import { join } from "node:path";
import { loadSettings } from "../../src/config/load-settings.ts";
import { openLog } from "../../src/runtime/log.ts";
import { openFromSettings } from "../../src/host/open.ts";
import { readRuleFiles } from "../../src/host/open-runtime.ts";
import { openStore } from "../../src/runtime/store/open.ts";
import { CONTROL_VARIABLE, controlled, isControl } from "./controls.ts";
import { LEASE_MS } from "./lease-ms.ts";
import { stoppingStore } from "./stopping-store.ts";

process.stdin.resume().once("end", () => process.exit(1));
const [folder = ""] = process.argv.slice(2);
const control = process.env[CONTROL_VARIABLE] ?? "";
const settings = await loadSettings({
  cwd: folder,
  file: join(folder, "answerback.yaml"),
  environment: {},
});
const runtime = await openFromSettings({
  settings,
  folder: settings.store.folder,
  base: folder,
  readRules: () => readRuleFiles(settings.rules, folder),
  environment: { ANSWERBACK_KEY: process.env["ANSWERBACK_KEY"] },
  leaseMs: LEASE_MS,
  secrets: {},
  log: openLog({ level: "info", destination: { write: (line) => void writeSync(2, line) } }),
  openStore: async (url, options) => {
    const { store, ...stopping } = stoppingStore(await openStore(url, options), () => {
      writeSync(1, "stopping\n");
      process.kill(process.pid, "SIGSTOP");
    });
    process.on("SIGUSR2", () => stopping.ask());
    return isControl(control) ? controlled(store, control) : store;
  },
  onListening: async ({ host, port }) => void writeSync(1, `listening http://${host}:${port}\n`),
});
process.once("SIGTERM", () => {
  void runtime.stop().then(() => process.exit(0));
});
writeSync(1, "ready\n");
await runtime.died;
await runtime.stop();
process.exit(1);
