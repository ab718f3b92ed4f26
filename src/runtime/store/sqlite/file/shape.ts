import { contentHash } from "../../../../system/content-hash.ts";
import type { Database } from "../binding.ts";

/**
 * Returns a hash of the schema: the columns of all tables, and the SQL text of indexes, views and triggers.
 *
 * Tables are hashed by their columns, not by their SQL text, because SQLite rewrites that text when a table is altered.
 *
 * @param except Tables to ignore.
 */
export function shapeOf(db: Database, except: readonly string[] = []): string {
  const rows = db
    .prepare<ShapeRow>(SHAPE)
    .all()
    .filter(({ of }) => !except.includes(of))
    .map(({ of, name, what }) => [of, name, what?.replaceAll(/\s+/g, " ") ?? ""]);
  return contentHash(JSON.stringify(rows));
}

interface ShapeRow {
  /** Name of the table. */
  readonly of: string;
  readonly name: string;
  readonly what: string | null;
}

/**
 * SQL query for the parts of the schema. Unnamed keys are included as indexes, with the name sqlite_autoindex_TABLE_1.
 */
const SHAPE = `
  SELECT m.name AS of, c.name, c.type || ' ' || c."notnull" || ' ' || coalesce(c.dflt_value, '-') || ' ' || c.pk || ' ' || c.hidden AS what
    FROM sqlite_master AS m JOIN pragma_table_xinfo(m.name) AS c
    WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite!_%' ESCAPE '!'
  UNION ALL SELECT tbl_name, type || ' ' || name, sql FROM sqlite_master WHERE type <> 'table'
  ORDER BY 1, 2`;
