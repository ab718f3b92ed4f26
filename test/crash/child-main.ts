/**
 * A bot that may kill itself. The argument `FOLDER` has the bot's settings, rules and data. Prints the address of the
 * bot's webhook when it listens, then `ready`, and `hit POINT` before the process kills itself at a point.
 */
import { writeSync } from "node:fs";
import { join } from "node:path";
import { loadSettings } from "../../src/config/load-settings.ts";
import { openLog } from "../../src/runtime/log.ts";
import { openFromSettings } from "../../src/host/open.ts";
import { readRuleFiles } from "../../src/host/open-runtime.ts";
import { openStore } from "../../src/runtime/store/open.ts";
import { LEASE_MS } from "../chaos/lease-ms.ts";
import { isBug, planted } from "./planted.ts";
import { STRIKE_VARIABLE, trigger } from "./trigger.ts";
import { watchedStore } from "./watched-store.ts";
import { watchWire } from "./watched-wire.ts";

const [folder = ""] = process.argv.slice(2);
const pass = trigger(process.env[STRIKE_VARIABLE]);
watchWire(pass);
const bug = process.env["CRASH_BUG"] ?? "";
const settings = await loadSettings({
  cwd: folder,
  file: join(folder, "answerback.yaml"),
  environment: {},
});
await openFromSettings({
  settings,
  folder: settings.store.folder,
  base: folder,
  readRules: () => readRuleFiles(settings.rules, folder),
  environment: { ANSWERBACK_KEY: process.env["ANSWERBACK_KEY"] },
  leaseMs: LEASE_MS,
  secrets: {},
  log: openLog({ level: "debug", destination: { write: (line) => void writeSync(2, line) } }),
  openStore: async (url, options) => {
    const store = await openStore(url, options);
    return watchedStore(isBug(bug) ? planted(store, bug) : store, pass);
  },
  onListening: async ({ host, port }) => {
    writeSync(1, `listening http://${host}:${port}\n`);
    pass("listening");
  },
});
writeSync(1, "ready\n");
pass("ready");
