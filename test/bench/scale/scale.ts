import { startPostgres, type TestPostgres } from "../../postgres/server.ts";
import type { Benchmark } from "../main.ts";
import { round2, wholeNumber } from "../numbers.ts";
import { openCluster } from "./cluster.ts";
import { type Cost, costOf } from "./cost.ts";
import { fill } from "./fill.ts";
import { type IngestWhileKilled, ingestWhileKilled } from "./ingest-while-killed.ts";
import { load } from "./load.ts";
import { type ServerCounters, serverCounters } from "./server-counters.ts";

/** Seconds for which each cluster answers. */
const SECONDS = wholeNumber("SECONDS", 10);
/** Number of events in progress at a time. */
const WINDOW = wholeNumber("WINDOW", 2_000);
const LANES = 100_000;
/** Numbers of workers; `WORKERS=1` makes the run shorter. */
const WORKERS = [1, 2, 4].slice(0, wholeNumber("WORKERS", 3));
/** Number of answered events in a large store; `STORED_SMALL` is the number in a small store. */
const STORED = wholeNumber("STORED", 10_000_000);
const STORED_SMALL = 1_000;
/** Seconds for which a receiver and a worker without any event are measured. */
const IDLE_SECONDS = wholeNumber("IDLE_SECONDS", 30);
const PUBLISHED_AFTER_MS = 12_000;
const MANY_ACCOUNTS = wholeNumber("ACCOUNTS", 5_000);
const MANY_LANES = wholeNumber("LANES", 1_000_000);

/** Compares one receiver and 1, 2 and 4 workers on PostgreSQL with one process on SQLite, the embedded store engine. */
export const scale: Benchmark = {
  name: "scale",
  about: "what an event costs with several workers on PostgreSQL, beside the embedded engine",
  async run(say) {
    const postgres = await startPostgres({ durable: true });
    try {
      const costs: Cost[] = [];
      let idle = Number.NaN;
      for (const workers of WORKERS) {
        const { cost, idleTransactions } = await shared(postgres, workers);
        if (workers === 1) idle = idleTransactions;
        say(line(`${workers} ${workers === 1 ? "worker" : "workers"}`, cost));
        costs.push(cost);
      }
      const embedded = await alone();
      say(line("embedded", embedded));
      const small = await filled(postgres, STORED_SMALL);
      say(line(`${STORED_SMALL} stored`, small));
      const large = await filled(postgres, STORED);
      say(line(`${STORED} stored`, large));
      const killed = await withOneKilled(postgres);
      const [first = embedded] = costs;
      const cpu = Object.fromEntries(
        costs.flatMap(({ cpuUs, serverCpuUs }, n) => [
          [`cpu_us_${WORKERS[n]}`, Math.round(cpuUs)],
          [`server_cpu_us_${WORKERS[n]}`, Math.round(serverCpuUs)],
        ]),
      );
      return {
        figures: {
          events_per_s: Math.round(Math.max(...costs.map((one) => one.eventsPerSecond))),
          queries_per_event: round2(first.statements),
          syncs_per_event: round2(first.syncs),
          bytes_per_event: Math.round(first.storedBytes),
          wal_bytes_per_event: Math.round(first.walBytes),
          versions_per_event: round2(first.versions),
          deletes_per_event: round2(first.deletes),
          index_entries_per_event: round2(first.indexEntries),
          transactions_per_event: round2(first.transactions),
          idle_transactions_per_s: round2(idle),
          ...cpu,
          receiver_cpu_us: Math.round(first.receiverCpuUs),
          embedded_events_per_s: Math.round(embedded.eventsPerSecond),
          embedded_cpu_us: Math.round(embedded.cpuUs),
          stored: STORED,
          accounts: MANY_ACCOUNTS,
          lanes: MANY_LANES,
          large_to_small: round2(large.eventsPerSecond / small.eventsPerSecond),
          large_to_small_cpu: round2(large.cpuUs / small.cpuUs),
          ingest_p99_ms: round2(killed.killedP99Ms),
          ingest_quiet_p99_ms: round2(killed.quietP99Ms),
        },
        table: [
          [
            "",
            "events/s",
            "statements",
            "syncs",
            "log bytes",
            "stored bytes",
            "µs",
            "of it server",
            "receiver µs",
          ],
          ...costs.map((cost, n) => row(`${WORKERS[n]} at work`, cost)),
          row("embedded", embedded),
          row(`${STORED_SMALL} stored`, small),
          row(`${STORED} stored`, large),
        ],
      };
    } finally {
      await postgres.stop();
    }
  },
};

const ASKED = { window: WINDOW, lanes: LANES, accounts: 1, seconds: SECONDS };

/** Measures the cost of an event, and with one worker the transactions per second when nothing happens. */
async function shared(
  postgres: TestPostgres,
  workers: number,
): Promise<{ readonly cost: Cost; readonly idleTransactions: number }> {
  const store = await postgres.createDatabase();
  const counters = await serverCounters(store);
  const cluster = await openCluster({ store, workers });
  try {
    const cost = await costOf(cluster, ASKED, counters);
    const idleTransactions = workers === 1 ? await transactionsPerSecond(counters) : Number.NaN;
    return { cost, idleTransactions };
  } finally {
    await cluster.close();
    await counters.close();
  }
}

async function transactionsPerSecond(counters: ServerCounters): Promise<number> {
  // An idle process of the server publishes its counts after ten seconds.
  await new Promise((resolve) => setTimeout(resolve, PUBLISHED_AFTER_MS));
  const [before, begun] = [await counters.read(), performance.now()];
  await new Promise((resolve) => setTimeout(resolve, IDLE_SECONDS * 1_000));
  const after = await counters.read();
  return (after.transactions - before.transactions) / ((performance.now() - begun) / 1_000);
}

/** Measures the same numbers of accounts and lanes (conversations) on a store that has `events` answered events. */
async function filled(postgres: TestPostgres, events: number): Promise<Cost> {
  const store = await postgres.createDatabase();
  const counters = await serverCounters(store);
  const size = { accounts: MANY_ACCOUNTS, lanes: MANY_LANES };
  const cluster = await openCluster({ store, workers: 1, accounts: MANY_ACCOUNTS });
  try {
    await load(cluster, { ...ASKED, ...size, seconds: 1 });
    await cluster.drained();
    await fill(counters, { ...size, events });
    return await costOf(cluster, { ...ASKED, ...size }, counters);
  } finally {
    await cluster.close();
    await counters.close();
  }
}

async function withOneKilled(postgres: TestPostgres): Promise<IngestWhileKilled> {
  const cluster = await openCluster({ store: await postgres.createDatabase(), workers: 2 });
  try {
    await load(cluster, { ...ASKED, seconds: 1 });
    return await ingestWhileKilled(cluster, SECONDS);
  } finally {
    await cluster.close();
  }
}

async function alone(): Promise<Cost> {
  const cluster = await openCluster({ workers: 0 });
  try {
    return await costOf(cluster, ASKED);
  } finally {
    await cluster.close();
  }
}

function row(name: string, cost: Cost): readonly string[] {
  const { walBytes, storedBytes, cpuUs, serverCpuUs, receiverCpuUs } = cost;
  const whole = [walBytes, storedBytes, cpuUs, serverCpuUs, receiverCpuUs];
  return [
    name,
    cost.eventsPerSecond.toFixed(0),
    cost.statements.toFixed(2),
    cost.syncs.toFixed(3),
    ...whole.map((value) => value.toFixed(0)),
  ];
}

function line(name: string, cost: Cost): string {
  return (
    `${name}: ${cost.eventsPerSecond.toFixed(0)} events/s at ${cost.cpuUs.toFixed(0)} µs, ` +
    `${cost.serverCpuUs.toFixed(0)} of it the server's`
  );
}
