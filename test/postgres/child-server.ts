/** A process with a server, for a test that kills it: prints the server's url and waits. */
import { startPostgres } from "./server.ts";

const server = await startPostgres({ durable: false });
process.stdout.write(`${server.url("postgres")}\n`);
process.stdin.resume();
