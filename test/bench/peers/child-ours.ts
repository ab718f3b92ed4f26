/** A runtime with a bot of the Chat SDK. Argument: the folder with the runtime's settings and data. Prints `ready`. */
import { join } from "node:path";
import { loadSettings } from "../../../src/config/load-settings.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { openFromSettings } from "../../../src/host/open.ts";

const [folder = ""] = process.argv.slice(2);
const settings = await loadSettings({
  cwd: folder,
  file: join(folder, "answerback.yaml"),
  environment: {},
});
await openFromSettings({
  settings,
  folder: settings.store.folder,
  base: folder,
  readRules: () => Promise.resolve([]),
  environment: {},
  secrets: {},
  log: openLog({ level: "silent", destination: { write: () => {} } }),
});
process.stdout.write("ready\n");
