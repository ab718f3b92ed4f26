import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../../src/runtime/clock/clock.ts";
import { openJournal } from "../../../../src/runtime/journal/journal.ts";
import { openLog } from "../../../../src/runtime/log.ts";
import { openStore } from "../../../../src/runtime/store/open.ts";
import { receiver } from "../../../../src/runtime/webhook/receive.ts";
import { serveWebhook } from "../../../../src/runtime/webhook/server.ts";
import { SECRET } from "../secret.ts";

/** The runtime's receiver, journal and store, from the socket to the disk. */
const store = await openStore(`file:${mkdtempSync(join(tmpdir(), "answerback-bench-"))}`);
const journal = openJournal({
  store,
  clock: systemClock,
  onAppended: () => {},
  onRevoked: async () => {},
});
const log = openLog({ level: "silent" });
const server = await serveWebhook({
  host: "127.0.0.1",
  port: 0,
  path: "/webhook",
  missing: async () => [],
  log,
  receive: receiver({
    consumerSecret: SECRET,
    maxBodyBytes: 4_000_000,
    log,
    append: async (delivery, raw) => void (await journal.append(delivery, raw, "webhook")),
  }),
});
process.stdout.write(`${server.port}\n`);
