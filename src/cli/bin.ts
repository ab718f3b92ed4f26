#!/usr/bin/env node
import { EXIT } from "./exit-codes.ts";
import { processIo } from "./io.ts";
import { main } from "./main.ts";
import { packageVersion } from "../system/package-version.ts";

/** Time for printed text to be written before a forced exit, in milliseconds. */
const LAST_WORDS_MS = 250;

// Ends a child process when its parent ends for any reason: the channel then closes.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
process.channel?.unref();
// Makes a file size limit (`ulimit -f`) fail like a full disk, instead of ending this process by a signal.
process.on("SIGXFSZ", () => {});

const io = processIo();
const code = await main(process.argv.slice(2), io, packageVersion);
// An interrupted command without a graceful stop is abandoned while it runs, and may hold connections open.
if (code === EXIT.interrupted) process.exit(code);
process.exitCode = code;
// A command that stopped or failed may leave connections open, which would keep the process alive.
if (io.signal.aborted || code === EXIT.died || code === EXIT.store) {
  setTimeout(() => process.exit(), LAST_WORDS_MS).unref();
}
