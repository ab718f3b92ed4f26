import { startBots } from "../../../src/bots/host.ts";

/** Starts the bots whose files are its arguments, prints a line when they are loaded, and waits to be killed. */
const host = await startBots({ files: process.argv.slice(2), patienceMs: 120_000 });
const [fault] = host.faults;
if (fault !== undefined) throw new Error(fault.message);
process.stdout.write(`${host.bots.length}\n`);
setInterval(() => {}, 60_000);
