import { forgottenHash } from "../forgetting/forgotten-hash.ts";
import { listed, rowOf, without } from "../tables/columns.ts";
import { JOURNAL } from "../tables/tables.ts";
import type { AppendResult, NewEntry } from "../entry.ts";
import { partitionOf } from "../partition.ts";
import { countChanges } from "./counts.ts";
import type { Statements } from "./database.ts";
import { StatementValues, typesOf } from "./params.ts";

/** Dependencies of {@link appendAll}. */
export interface AppendParts {
  readonly db: Statements;
  readonly partitions: number;
  /** Store id: the key (salt) of the hashes that replace the event keys of forgotten people. */
  readonly secret: string;
  /** Name under which this process stores its row counters in the table `counts`. */
  readonly writer: string;
}

/** Inserts entries into the journal and the inbox, in one statement. Returns one result for each entry, in order. */
export async function appendAll(
  { db, partitions, secret, writer }: AppendParts,
  entries: readonly NewEntry[],
): Promise<readonly AppendResult[]> {
  const params = new StatementValues();
  const table = params.table(
    "g",
    { ...typesOf(NEW_ENTRY), hash: "text" },
    entries.map((entry) => ({
      ...rowOf(NEW_ENTRY, {
        ...entry,
        // An entry without a lane is a mistake of the caller. The server rejects it.
        partition: partitionOf(entry.lane ?? "", partitions),
      }),
      hash: forgottenHash(secret, entry.key, entry.account),
    })),
  );
  const counted = countChanges(params, writer, {
    journal: "(SELECT count(*) FROM kept)",
    inbox: "(SELECT count(*) FROM kept)",
  });
  const rows = await db.query<{ key: string; account: string; seq: number }>(
    `WITH given AS (SELECT * FROM ${table}),
     kept AS (
       INSERT INTO journal (seq, ${listed(NEW_ENTRY)})
       SELECT nextval('input_seq'), g.* FROM (
         SELECT ${listed(NEW_ENTRY)} FROM given
         WHERE NOT EXISTS (SELECT 1 FROM forgotten AS f WHERE f.hash = given.hash) ORDER BY ord) AS g
       ON CONFLICT (key, account) DO NOTHING RETURNING seq, partition, key, account, lane),
     queued AS (INSERT INTO inputs (partition, seq, lane) SELECT partition, seq, lane FROM kept),
     counted AS (${counted})
     SELECT key, account, seq FROM kept`,
    params.values,
  );
  const fresh = new Map(rows.map((row) => [nameOf(row), row.seq]));
  const seqs = await knownOf(
    db,
    entries.filter((entry) => !fresh.has(nameOf(entry))),
  );
  const answered = new Set<string>();
  return entries.map((entry) => {
    const name = nameOf(entry);
    const seq = fresh.get(name);
    if (seq === undefined) return { outcome: "duplicate", seq: seqs.get(name) ?? 0 };
    const isFirst = !answered.has(name);
    answered.add(name);
    return { outcome: isFirst ? "new" : "duplicate", seq };
  });
}

/** Returns the `seq` of those entries that the journal already has, by account and key. */
async function knownOf(
  db: Statements,
  entries: readonly NewEntry[],
): Promise<ReadonlyMap<string, number>> {
  if (entries.length === 0) return new Map();
  const params = new StatementValues();
  const table = params.table("g", { key: "text", account: "text" }, entries);
  const rows = await db.query<{ key: string; account: string; seq: number }>(
    `SELECT j.key, j.account, j.seq FROM journal AS j JOIN ${table} USING (key, account)`,
    params.values,
  );
  return new Map(rows.map((row) => [nameOf(row), row.seq]));
}

function nameOf({ key, account }: Pick<NewEntry, "key" | "account">): string {
  return `${account} ${key}`;
}

const NEW_ENTRY = without(JOURNAL.postgres, "seq");
