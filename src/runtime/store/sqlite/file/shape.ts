import { contentHash } from "../../../../system/content-hash.ts";
import type { Database } from "../binding.ts";

/**
 * Returns the hash of the shape of all tables: their columns, and the text of indexes and of anything else in the file.
 *
 * Columns are compared instead of a table's text, which SQLite rewrites in its own format when a table is altered.
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

/** Keys without a name are listed among the indexes, as sqlite_autoindex_TABLE_1. */
const SHAPE = `
  SELECT m.name AS of, c.name, c.type || ' ' || c."notnull" || ' ' || coalesce(c.dflt_value, '-') || ' ' || c.pk || ' ' || c.hidden AS what
    FROM sqlite_master AS m JOIN pragma_table_xinfo(m.name) AS c
    WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite!_%' ESCAPE '!'
  UNION ALL SELECT tbl_name, type || ' ' || name, sql FROM sqlite_master WHERE type <> 'table'
  ORDER BY 1, 2`;
