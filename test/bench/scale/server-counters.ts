import { readFileSync } from "node:fs";
import pg from "pg";
import { childrenOf } from "../../postgres/family.ts";

/** Counters of a PostgreSQL server since its start. */
export interface ServerCounts {
  /** Number of device syncs of the server's write-ahead log. */
  readonly syncs: number;
  readonly walBytes: number;
  readonly storedBytes: number;
  /** Number of row versions: inserted and updated rows of the counted database. */
  readonly versions: number;
  readonly deletes: number;
  /** Number of new index entries since the counters were opened; NaN if the server's write-ahead log can't be read. */
  readonly indexEntries: number;
  readonly transactions: number;
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
  const entries = await indexEntryCounter(client);
  return {
    async read() {
      await new Promise((resolve) => setTimeout(resolve, TOLD_AFTER_MS));
      const { rows } = await client.query<CountsRow>(
        `SELECT (${syncs}) AS syncs, pg_current_wal_lsn() - '0/0' AS wal,
           pg_database_size(current_database()) AS stored, tup_inserted + tup_updated AS versions,
           tup_deleted AS deletes, xact_commit + xact_rollback AS transactions
         FROM pg_stat_database WHERE datname = current_database()`,
      );
      const [row] = rows;
      const children = await childrenOf(main);
      return {
        syncs: Number(row?.syncs),
        walBytes: Number(row?.wal),
        storedBytes: Number(row?.stored),
        versions: Number(row?.versions),
        deletes: Number(row?.deletes),
        transactions: Number(row?.transactions),
        indexEntries: await entries(),
        // Fields 13 and 14 of the main process hold the processor time of its child processes that have ended.
        cpuMs: ticks(main, [11, 12, 13, 14]) + sum(children.map((child) => ticks(child, [11, 12]))),
      };
    },
    query: async (text) => void (await client.query(text)),
    close: () => client.end(),
  };
}

interface CountsRow {
  readonly syncs: string;
  readonly wal: string;
  readonly stored: string;
  readonly versions: string;
  readonly deletes: string;
  readonly transactions: string;
}

/** Returns a function that counts new index entries of the whole server, by reading the write-ahead log since its last call. */
async function indexEntryCounter(client: pg.Client): Promise<() => Promise<number>> {
  let total = 0;
  const position = async (): Promise<string> => {
    const { rows } = await client.query<{ lsn: string }>("SELECT pg_current_wal_lsn() AS lsn");
    return rows[0]?.lsn ?? "";
  };
  let last = await position();
  return async () => {
    const now = await position();
    try {
      await client.query("CREATE EXTENSION IF NOT EXISTS pg_walinspect");
      const { rows } = await client.query<{ n: string | null }>(
        `SELECT sum(count) AS n FROM pg_get_wal_stats($1, $2, true)
         WHERE "resource_manager/record_type" ~ '^Btree/(INSERT_LEAF|SPLIT)'`,
        [last, now],
      );
      total += Number(rows[0]?.n ?? 0);
    } catch {
      // The extension is not installed, or the server has removed the start of that part of the log.
      total = Number.NaN;
    }
    last = now;
    return total;
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
