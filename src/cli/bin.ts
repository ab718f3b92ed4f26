#!/usr/bin/env node
import { EXIT } from "./exit-codes.ts";
import { processIo } from "./io.ts";
import { main } from "./main.ts";
import { packageVersion } from "../system/package-version.ts";

/** How long what was printed may take to leave. */
const LAST_WORDS_MS = 250;

// A child process ends when its parent does, however the parent ended: the channel closes.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
process.channel?.unref();
// Has a file that may grow no further (`ulimit -f`) fail like a full disk: else the signal would end this process.
process.on("SIGXFSZ", () => {});

const io = processIo();
const code = await main(process.argv.slice(2), io, packageVersion);
// An abandoned command may still hold connections open.
if (code === EXIT.interrupted) process.exit(code);
process.exitCode = code;
// So may one that was told to stop, or that could not go on: it has said what it had to say.
if (io.signal.aborted || code === EXIT.died || code === EXIT.store) {
  setTimeout(() => process.exit(), LAST_WORDS_MS).unref();
}
