import { WRITTEN_BY } from "../written-by.ts";
import { RESTORED_FROM } from "../restored.ts";
import { MOVED_TO } from "../moved.ts";

/** A value as both engines give it. */
export type Cell = string | number | null;

/** The values of one row, in the order of the table's columns. */
export type Cells = readonly Cell[];

/** One kind of what a store keeps, as both engines can tell it. */
export interface MovedTable {
  readonly name: string;
  /** Types by name, as PostgreSQL calls them. */
  readonly columns: Readonly<Record<string, "text" | "bigint" | "int">>;
  /** What tells its rows apart. */
  readonly key: readonly string[];
  /** What is read in SQLite; the table of that name unless said. */
  readonly inSqlite?: string;
  /** The same in PostgreSQL. */
  readonly inPostgres?: string;
  /** Its rows have a partition in PostgreSQL. */
  readonly isPartitioned?: boolean;
}

/** Values that belong to a place, not to what is kept in it; the linked accounts go over by themselves. */
const OWN_METAS = [
  MOVED_TO,
  RESTORED_FROM,
  WRITTEN_BY,
  "partitions",
  "accounts-key",
  "accounts-version",
];
const METAS = `(SELECT name, value FROM meta WHERE substr(name, 1, 8) <> 'account:'
  AND name NOT IN (${OWN_METAS.map((name) => `'${name}'`).join(", ")})) AS m`;

/** All that goes over, in the order in which it does. */
export const MOVED_TABLES: readonly MovedTable[] = [
  {
    name: "meta",
    columns: { name: "text", value: "text" },
    key: ["name"],
    inSqlite: METAS,
    inPostgres: METAS,
  },
  {
    name: "journal",
    columns: {
      seq: "bigint",
      key: "text",
      account: "text",
      lane: "text",
      kind: "text",
      at: "bigint",
      arrived_at: "bigint",
      source: "text",
      body: "text",
    },
    key: ["seq"],
    isPartitioned: true,
  },
  {
    name: "inputs",
    columns: { seq: "bigint", lane: "text", item: "bigint", attempts: "int", retry_at: "bigint" },
    key: ["seq"],
    inSqlite:
      "(SELECT id AS seq, lane, item, attempts, retry_at FROM work WHERE kind = 'input') AS w",
    isPartitioned: true,
  },
  {
    name: "decisions",
    columns: {
      seq: "bigint",
      state: "text",
      attempts: "int",
      decided_at: "bigint",
      decision: "text",
    },
    key: ["seq"],
  },
  {
    name: "runs",
    columns: {
      seq: "bigint",
      owner: "text",
      ordinal: "bigint",
      account: "text",
      lane: "text",
      revision: "text",
      status: "text",
      waits_for: "text",
      version: "int",
      body: "text",
      listens: "int",
      slot: "text",
      queues: "int",
    },
    key: ["seq", "owner"],
    isPartitioned: true,
  },
  {
    name: "timers",
    columns: { id: "text", run: "text", lane: "text", due_at: "bigint" },
    key: ["id"],
    isPartitioned: true,
  },
  {
    name: "rule_sources",
    columns: {
      revision: "text",
      rule_id: "text",
      path: "text",
      text: "text",
      beside: "text",
      saved_at: "bigint",
    },
    key: ["revision"],
  },
  {
    name: "state",
    columns: { key: "text", value: "text", version: "bigint", expires_at: "bigint" },
    key: ["key"],
  },
  {
    name: "items",
    columns: {
      id: "bigint",
      key: "text",
      run: "text",
      seq: "bigint",
      account: "text",
      lane: "text",
      action: "text",
      priority: "int",
      counted_at: "bigint",
      heard: "text",
      status: "text",
      attempts: "int",
      not_before: "bigint",
      expires_at: "bigint",
      started_at: "bigint",
      settled_at: "bigint",
      platform_id: "text",
      reason: "text",
    },
    key: ["id"],
    isPartitioned: true,
  },
  {
    name: "coverage",
    columns: { account: "text", begins: "bigint", ends: "bigint", state: "text", reason: "text" },
    key: ["account", "begins"],
  },
  { name: "pauses", columns: { account: "text", since: "bigint" }, key: ["account"] },
  { name: "forgotten", columns: { hash: "text", at: "bigint" }, key: ["hash"] },
  {
    name: "escalations",
    columns: {
      id: "bigint",
      key: "text",
      run: "text",
      seq: "bigint",
      account: "text",
      lane: "text",
      username: "text",
      queue: "text",
      priority: "text",
      note: "text",
      evidence: "text",
      at: "bigint",
      resolved_at: "bigint",
      silent_in: "text",
      silent_until: "bigint",
      until_resolved: "int",
    },
    key: ["id"],
  },
];

/** The place of a column among the cells of a row. */
export function placeOf({ columns }: MovedTable, name: string): number {
  return Object.keys(columns).indexOf(name);
}

/** How many rows are at hand at once, at most. */
export const BATCH = 500;
