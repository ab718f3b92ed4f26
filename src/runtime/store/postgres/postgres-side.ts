import {
  BATCH,
  type Cells,
  type CopiedTable,
  type CopyTarget,
  type GivenNumbers,
  sourceOf as sharedSourceOf,
} from "../copy/sides.ts";
import { partitionOf } from "../partition.ts";
import { type Cell, listed } from "../tables/columns.ts";
import { ITEMS, OPEN_ITEMS } from "../tables/tables.ts";
import type { Statements } from "./database.ts";
import { StatementValues, typesOf } from "./params.ts";
import { WHOLE_ITEM } from "./tables/columns.ts";

/** Store in PostgreSQL as source or target of a copy, read and filled within one transaction. */
export class PostgresSide implements CopyTarget {
  readonly #tx: Statements;
  readonly #partitions: number;

  /** @param partitions Number of partitions of the store. */
  constructor(tx: Statements, partitions: number) {
    this.#tx = tx;
    this.#partitions = partitions;
  }

  async count(table: CopiedTable): Promise<number> {
    const [row] = await this.#tx.query<{ n: number }>(
      `SELECT count(*) AS n FROM ${sourceOf(table)}`,
    );
    return row?.n ?? 0;
  }

  async *read(table: CopiedTable): AsyncGenerator<readonly Cells[]> {
    const { names } = table;
    await this.#tx.query(
      `DECLARE moved NO SCROLL CURSOR FOR SELECT ${names.join(", ")} FROM ${sourceOf(table)}`,
    );
    for (;;) {
      const rows = await this.#tx.query<Record<string, Cell>>(`FETCH ${BATCH} FROM moved`);
      if (rows.length > 0) yield rows.map((row) => names.map((name) => row[name] ?? null));
      if (rows.length < BATCH) break;
    }
    await this.#tx.query("CLOSE moved");
  }

  async numbers(): Promise<GivenNumbers> {
    const last = async (sequence: string): Promise<number> => {
      const [row] = await this.#tx.query<{ n: number }>(
        `SELECT last_value - CASE WHEN is_called THEN 0 ELSE 1 END AS n FROM ${sequence}`,
      );
      return row?.n ?? 0;
    };
    return {
      seq: await last(SEQUENCES.seq),
      item: await last(SEQUENCES.item),
      run: await last(SEQUENCES.run),
      state: await last(SEQUENCES.state),
      escalation: await last(SEQUENCES.escalation),
    };
  }

  async write(table: CopiedTable, rows: readonly Cells[]): Promise<void> {
    const params = new StatementValues();
    const isPlaced = "partition" in table.postgres.columns;
    const types = { ...typesOf(table), ...(isPlaced && { partition: "int" }) };
    const objects = rows.map((row) => ({
      ...Object.fromEntries(table.names.map((name, at) => [name, row[at] ?? null])),
      ...(isPlaced && { partition: this.#partition(table, row) }),
    }));
    const cte = `g AS (SELECT * FROM ${params.table("t", types, objects)})`;
    await this.#tx.query(`WITH ${cte} ${insertOf(table.name, Object.keys(types))}`, params.values);
  }

  async complete(numbers: GivenNumbers): Promise<void> {
    for (const [name, n] of Object.entries(numbers)) {
      const sequence = SEQUENCES[name as keyof GivenNumbers];
      await this.#tx.query(
        `SELECT setval('${sequence}', greatest($1::bigint, 1), $1::bigint > 0)`,
        [n],
      );
    }
    await this.#tx.query(COUNT);
    await this.#tx.query(TURN);
  }

  #partition(table: CopiedTable, row: Cells): number {
    return partitionOf(String(row[table.names.indexOf("lane")]), this.#partitions);
  }
}

const SEQUENCES = {
  seq: "input_seq",
  item: "item_id",
  run: "run_ordinal",
  state: "state_version",
  escalation: "escalations_id_seq",
} as const satisfies Record<keyof GivenNumbers, string>;

function sourceOf(table: CopiedTable): string {
  if (table.name !== ITEMS.name) return sharedSourceOf(table);
  return `(SELECT ${WHOLE_ITEM} FROM items AS i LEFT JOIN open_items AS o ON o.id = i.id) AS items`;
}

/** Builds the SQL that inserts the rows of the CTE `g` into a table. @param names Columns of `g`. */
function insertOf(table: string, names: readonly string[]): string {
  const columns = names.join(", ");
  switch (table) {
    case "meta":
      return `INSERT INTO meta (${columns}) SELECT ${columns} FROM g
        ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
    case "escalations":
      return `INSERT INTO escalations (${columns}, silences)
        SELECT ${columns}, silent_in IS NOT NULL AND resolved_at IS NULL FROM g`;
    case "items": {
      const values = names.map((name) =>
        name === "status" ? `CASE WHEN status IN ${SETTLED} THEN status END` : name,
      );
      return `, kept AS (INSERT INTO items (${columns}) SELECT ${values.join(", ")} FROM g),
        opened AS (INSERT INTO open_items (${OPEN}, ready) SELECT ${OPEN}, false FROM g WHERE status NOT IN ${SETTLED})
        INSERT INTO given_up (id, status) SELECT id, status FROM g WHERE status IN ('failed', 'expired')`;
    }
    default:
      return `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM g`;
  }
}

const SETTLED = "('sent', 'failed', 'expired')";
const OPEN = listed(OPEN_ITEMS);

const COUNT = `
  INSERT INTO counts (writer, name, n)
  SELECT '', 'journal', count(*) FROM journal
  UNION ALL SELECT '', 'inbox', count(*) FROM inputs
  UNION ALL SELECT '', 'item.' || coalesce(o.status, i.status), count(*)
    FROM items AS i LEFT JOIN open_items AS o ON o.id = i.id GROUP BY 2
  UNION ALL SELECT '', 'run.' || status, count(*) FROM runs WHERE status IN ('ready', 'waiting') GROUP BY 2
  ON CONFLICT (writer, name) DO UPDATE SET n = excluded.n`;

/** Marks the first pending or sending item of each lane as ready, if that item is pending. */
const TURN = `
  UPDATE open_items AS o SET ready = true FROM (
    SELECT DISTINCT ON (lane) id, status FROM open_items WHERE status IN ('pending', 'sending') ORDER BY lane, id) AS f
  WHERE o.id = f.id AND f.status = 'pending'`;
