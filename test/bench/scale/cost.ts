import { wholeNumber } from "../numbers.ts";
import type { Cluster } from "./cluster.ts";
import { load, type Load } from "./load.ts";
import type { ServerCounters } from "./server-counters.ts";

/** Cost of an event, from its delivery until its answer is sent and recorded. */
export interface Cost {
  readonly eventsPerSecond: number;
  /** Statements sent to the server, including those that begin or commit a transaction. */
  readonly statements: number;
  readonly syncs: number;
  readonly walBytes: number;
  readonly storedBytes: number;
  /** Row versions that the server wrote, rows that it deleted, and index entries that it added. */
  readonly versions: number;
  readonly deletes: number;
  readonly indexEntries: number;
  readonly transactions: number;
  /** Processor time of workers and server in microseconds; without a server, processor time of the only process. */
  readonly cpuUs: number;
  readonly serverCpuUs: number;
  readonly receiverCpuUs: number;
}

/** In place of a server's counters when there is no server: no figures, and no processor time. */
const NO_SERVER: Pick<ServerCounters, "read"> = {
  read: async () => ({
    syncs: Number.NaN,
    walBytes: Number.NaN,
    storedBytes: Number.NaN,
    versions: Number.NaN,
    deletes: Number.NaN,
    indexEntries: Number.NaN,
    transactions: Number.NaN,
    cpuMs: 0,
  }),
};
/**
 * Seconds of warm-up. Node optimizes code while it runs, so each process handles some thousand events before the
 * measurement.
 */
const WARM_SECONDS = wholeNumber("WARM_SECONDS", 20);

/** Warms up a cluster, lets it answer for the load's duration and finish all events, and measures the cost. */
export async function costOf(
  cluster: Cluster,
  wantedLoad: Load,
  counters: Pick<ServerCounters, "read"> = NO_SERVER,
): Promise<Cost> {
  await load(cluster, { ...wantedLoad, seconds: WARM_SECONDS });
  await cluster.drained();
  const working = cluster.workers.length === 0 ? [cluster.receiver] : cluster.workers;
  const worked = (): number => working.reduce((ms, worker) => ms + worker.cpuMs(), 0);
  const before = await counters.read();
  const [asks, work, receiverMs] = [await cluster.statements(), worked(), cluster.receiver.cpuMs()];
  const started = cluster.platform.replies();
  const { answered, seconds } = await load(cluster, wantedLoad);
  await cluster.drained();
  const asksAfter = await cluster.statements();
  const after = await counters.read();
  const events = cluster.platform.replies() - started;
  const each = (value: number): number => value / events;
  const server = after.cpuMs - before.cpuMs;
  return {
    eventsPerSecond: answered / seconds,
    statements: each(asksAfter - asks),
    syncs: each(after.syncs - before.syncs),
    walBytes: each(after.walBytes - before.walBytes),
    storedBytes: each(after.storedBytes - before.storedBytes),
    versions: each(after.versions - before.versions),
    deletes: each(after.deletes - before.deletes),
    indexEntries: each(after.indexEntries - before.indexEntries),
    transactions: each(after.transactions - before.transactions),
    cpuUs: each((server + worked() - work) * 1_000),
    serverCpuUs: each(server * 1_000),
    receiverCpuUs: each((cluster.receiver.cpuMs() - receiverMs) * 1_000),
  };
}
