import { wholeNumber } from "../numbers.ts";
import type { Cluster } from "./cluster.ts";
import { load, type Load } from "./load.ts";
import type { ServerCounters } from "./server-counters.ts";

/** What an event took, from its delivery to its settled answer. */
export interface Cost {
  readonly eventsPerSecond: number;
  /** Statements that went to the server; one that begins or keeps a transaction is one. */
  readonly statements: number;
  readonly syncs: number;
  readonly walBytes: number;
  readonly storedBytes: number;
  /** Processor time of workers and server in microseconds; of the one process where there is no server. */
  readonly cpuUs: number;
  readonly serverCpuUs: number;
  readonly receiverCpuUs: number;
}

/** Nothing of a server where there is none. */
const NO_SERVER: Pick<ServerCounters, "read"> = {
  read: async () => ({
    syncs: Number.NaN,
    walBytes: Number.NaN,
    storedBytes: Number.NaN,
    cpuMs: 0,
  }),
};
/** Code is compiled by what it does: each process does some thousand events first. */
const WARM_SECONDS = wholeNumber("WARM_SECONDS", 20);

/** Has a cluster answer for a while, after it has become warm, until all of it is settled. */
export async function costOf(
  cluster: Cluster,
  asked: Load,
  counters: Pick<ServerCounters, "read"> = NO_SERVER,
): Promise<Cost> {
  await load(cluster, { ...asked, seconds: WARM_SECONDS });
  await cluster.drained();
  const working = cluster.workers.length === 0 ? [cluster.receiver] : cluster.workers;
  const worked = (): number => working.reduce((ms, worker) => ms + worker.cpuMs(), 0);
  const before = await counters.read();
  const [asks, work, taken] = [await cluster.statements(), worked(), cluster.receiver.cpuMs()];
  const started = cluster.platform.replies();
  const { answered, seconds } = await load(cluster, asked);
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
    cpuUs: each((server + worked() - work) * 1_000),
    serverCpuUs: each(server * 1_000),
    receiverCpuUs: each((cluster.receiver.cpuMs() - taken) * 1_000),
  };
}
