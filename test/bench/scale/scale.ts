import { startPostgres } from "../../postgres/server.ts";
import type { Benchmark } from "../main.ts";
import { round2, wholeNumber } from "../numbers.ts";
import { openCluster } from "./cluster.ts";
import { load } from "./load.ts";
import { serverCounters } from "./server-counters.ts";

const SECONDS = wholeNumber("SECONDS", 10);
const WINDOW = wholeNumber("WINDOW", 2_000);
const WARM_SECONDS = 3;

/** What an event took, from its delivery to its settled answer. */
interface Cost {
  readonly eventsPerSecond: number;
  readonly statements: number;
  readonly syncs: number;
  readonly walBytes: number;
  readonly storedBytes: number;
  /** Processor time of workers and server, of the server alone, and of the receiver. */
  readonly cpuUs: number;
  readonly serverCpuUs: number;
  readonly receiverCpuUs: number;
}

/** One receiver and 1, 2 and 4 workers on PostgreSQL, beside one process with the embedded engine. */
export const scale: Benchmark = {
  name: "scale",
  about: "what an event costs with several workers on PostgreSQL, beside the embedded engine",
  async run(say) {
    const postgres = await startPostgres({ durable: true });
    try {
      const cost = await measured(await postgres.createDatabase(), 1);
      say(JSON.stringify(cost));
      return {
        figures: {
          events_per_s: Math.round(cost.eventsPerSecond),
          queries_per_event: round2(cost.statements),
          syncs_per_event: round2(cost.syncs),
          bytes_per_event: Math.round(cost.storedBytes),
          wal_bytes_per_event: Math.round(cost.walBytes),
          cpu_us_1: Math.round(cost.cpuUs),
          server_cpu_us_1: Math.round(cost.serverCpuUs),
        },
        table: [],
      };
    } finally {
      await postgres.stop();
    }
  },
};

async function measured(store: string, workers: number): Promise<Cost> {
  const counters = await serverCounters(store);
  const cluster = await openCluster({ store, workers });
  try {
    const asked = { window: WINDOW, lanes: 100_000, accounts: 1 };
    await load(cluster, { ...asked, seconds: WARM_SECONDS });
    await cluster.drained();
    const worked = (): number => cluster.workers.reduce((ms, worker) => ms + worker.cpuMs(), 0);
    const before = await counters.read();
    const [asks, work, taken] = [await cluster.statements(), worked(), cluster.receiver.cpuMs()];
    const started = cluster.platform.replies();
    const { answered, seconds } = await load(cluster, { ...asked, seconds: SECONDS });
    await cluster.drained();
    const after = await counters.read();
    const events = cluster.platform.replies() - started;
    const each = (value: number): number => value / events;
    const server = after.cpuMs - before.cpuMs;
    return {
      eventsPerSecond: answered / seconds,
      statements: each((await cluster.statements()) - asks),
      syncs: each(after.syncs - before.syncs),
      walBytes: each(after.walBytes - before.walBytes),
      storedBytes: each(after.storedBytes - before.storedBytes),
      cpuUs: each((server + worked() - work) * 1_000),
      serverCpuUs: each(server * 1_000),
      receiverCpuUs: each((cluster.receiver.cpuMs() - taken) * 1_000),
    };
  } finally {
    await cluster.close();
    await counters.close();
  }
}
