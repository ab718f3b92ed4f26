/** Opens the store in a folder, appends one event and ends. Prints the milliseconds until the event was stored. */
import { openStore } from "../../../src/runtime/store/open.ts";
import { entry } from "../../runtime/store/builders.ts";

const started = performance.now();
const store = await openStore(`file:${process.argv[2] ?? ""}`);
const leases = await store.lease("opener", 15_000);
await store.openItems(leases, { status: "sending", after: 0, limit: 100 });
await store.openRuns(leases, { status: "ready", after: 0, limit: 100 });
await store.append([entry({ key: `opened:${Date.now()}` })]);
const [input] = await store.fetch(leases, Date.now(), 1);
await store.dueItems(leases, Date.now(), 64);
await store.stats();
if (input === undefined) throw new Error("nothing was taken in");
process.stdout.write(`${performance.now() - started}\n`);
await store.close();
