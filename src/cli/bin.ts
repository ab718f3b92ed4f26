#!/usr/bin/env node
import { EXIT } from "./exit-codes.ts";
import { processIo } from "./io.ts";
import { main } from "./main.ts";
import { version } from "./version.ts";

// A child process ends when its parent does, however the parent ended: the channel closes.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
process.channel?.unref();

const code = await main(process.argv.slice(2), processIo(), version());
// An abandoned command may still hold connections open.
if (code === EXIT.interrupted) process.exit(code);
process.exitCode = code;
