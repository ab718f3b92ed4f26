#!/usr/bin/env node
import { EXIT } from "./exit-codes.ts";
import { processIo } from "./io.ts";
import { main } from "./main.ts";
import { version } from "./version.ts";

// A process below another one is tied to it by a channel, and ends with it however that one ended.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
process.channel?.unref();

const code = await main(process.argv.slice(2), processIo(), version());
// What was interrupted is not waited for.
if (code === EXIT.interrupted) process.exit(code);
process.exitCode = code;
