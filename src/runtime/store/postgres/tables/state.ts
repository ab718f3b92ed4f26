import { listed, recordOf, type RowOf } from "../../tables/columns.ts";
import { STATE_VALUE } from "../../tables/rows.ts";
import { STATE } from "../../tables/tables.ts";
import type { StateValue } from "../../transition.ts";
import type { Statements } from "../database.ts";

/** Loads values of user state by key. */
export async function loadState(
  db: Statements,
  keys: readonly string[],
): Promise<ReadonlyMap<string, StateValue>> {
  if (keys.length === 0) return new Map();
  const rows = await db.query<RowOf<typeof STATE>>(
    `SELECT ${listed(STATE)} FROM state WHERE key = ANY ($1::text[])`,
    [keys],
  );
  return new Map(rows.map((row) => [row.key, recordOf(STATE_VALUE, row)]));
}
