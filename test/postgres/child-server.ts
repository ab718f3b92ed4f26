/** Program that a test starts and kills: starts a PostgreSQL server, prints the server's URL and waits. */
import { startPostgres } from "./server.ts";

const server = await startPostgres({ durable: false });
process.stdout.write(`${server.url("postgres")}\n`);
process.stdin.resume();
