import { contentHash } from "../../../system/content-hash.ts";
import type { Statements } from "./database.ts";
import { STEPS } from "./schema-steps.ts";

/**
 * Returns a hash of the schema of the store's tables: their columns and unique keys.
 *
 * Other indexes and other tables are ignored, because the database's administrator may add some.
 */
export async function shapeOf(db: Statements): Promise<string> {
  const rows = await db.query<{ of: string; what: string }>(SHAPE, [TABLES]);
  return contentHash(JSON.stringify(rows.map(({ of, what }) => `${of} ${what}`).toSorted()));
}

/** Names of the tables of all schema versions. */
const TABLES = STEPS.flatMap((step) =>
  [...step.matchAll(/CREATE TABLE (\w+)/gu)].map(([, name = ""]) => name),
);

const SHAPE = `
  SELECT t.name AS of, concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.atthasdef,
      a.attidentity::text) AS what
    FROM unnest($1::text[]) AS t (name)
    JOIN pg_attribute AS a ON a.attrelid = to_regclass(t.name) AND a.attnum > 0 AND NOT a.attisdropped
  UNION ALL SELECT t.name, 'key ' || (SELECT string_agg(a.attname, ',' ORDER BY k.place)
      FROM unnest(x.indkey::int2[]) WITH ORDINALITY AS k (n, place)
      JOIN pg_attribute AS a ON a.attrelid = x.indrelid AND a.attnum = k.n)
    FROM unnest($1::text[]) AS t (name) JOIN pg_index AS x ON x.indrelid = to_regclass(t.name) AND x.indisunique`;
