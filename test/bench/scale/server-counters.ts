import { readFileSync } from "node:fs";
import pg from "pg";
import { childrenOf } from "../../postgres/family.ts";

/** Counters of a PostgreSQL server since its start. */
export interface ServerCounts {
  /** Number of device syncs of the server's write-ahead log. */
  readonly syncs: number;
  readonly walBytes: number;
  readonly storedBytes: number;
  /** Processor time of all processes of the server, in milliseconds. */
  readonly cpuMs: number;
}

/** Connection to a PostgreSQL server that reads its counters. */
export interface ServerCounters {
  read(): Promise<ServerCounts>;
  query(text: string): Promise<void>;
  close(): Promise<void>;
}

/** Unit of processor time in /proc on Linux: hundredths of a second. */
const MS_PER_TICK = 10;
/** Milliseconds to wait for the server's statistics, which the server publishes once a second. */
const TOLD_AFTER_MS = 1_500;

/** Opens the counters of a server. @param url URL of a database of the server; the counters include its size. */
export async function serverCounters(url: string): Promise<ServerCounters> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows: about } = await client.query<{ version: number; pid: number }>(
    "SELECT current_setting('server_version_num')::int / 10000 AS version, pg_backend_pid() AS pid",
  );
  const { version = 0, pid = 0 } = about[0] ?? {};
  const main = parentOf(pid);
  const syncs =
    version < 18
      ? "SELECT wal_sync AS n FROM pg_stat_wal"
      : "SELECT sum(fsyncs) AS n FROM pg_stat_io WHERE object = 'wal'";
  return {
    async read() {
      await new Promise((resolve) => setTimeout(resolve, TOLD_AFTER_MS));
      const { rows } = await client.query<{ syncs: string; wal: string; stored: string }>(
        `SELECT (${syncs}) AS syncs, pg_current_wal_lsn() - '0/0' AS wal,
           pg_database_size(current_database()) AS stored`,
      );
      const [row] = rows;
      const children = await childrenOf(main);
      return {
        syncs: Number(row?.syncs),
        walBytes: Number(row?.wal),
        storedBytes: Number(row?.stored),
        // Fields 13 and 14 of the main process hold the processor time of its child processes that have ended.
        cpuMs: ticks(main, [11, 12, 13, 14]) + sum(children.map((child) => ticks(child, [11, 12]))),
      };
    },
    query: async (text) => void (await client.query(text)),
    close: () => client.end(),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function parentOf(pid: number): number {
  return Number(fieldsOf(pid)[1]);
}

function ticks(pid: number, places: readonly number[]): number {
  const fields = fieldsOf(pid);
  return sum(places.map((place) => Number(fields[place] ?? 0))) * MS_PER_TICK;
}

/** Returns the fields from the third on, after the process name in brackets; empty for a process that has ended. */
function fieldsOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  } catch {
    return [];
  }
}
