import type { MetaChange } from "../../meta.ts";
import type { PostgresDatabase, Statements } from "../database.ts";

export async function getMeta(db: Statements, name: string): Promise<string | undefined> {
  const [row] = await db.query<{ value: string }>("SELECT value FROM meta WHERE name = $1", [name]);
  return row?.value;
}

/** Returns values by name. Names without a value are absent. */
export async function getMetas(
  db: Statements,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ name: string; value: string }>(
    "SELECT name, value FROM meta WHERE name = ANY ($1::text[])",
    [names],
  );
  return new Map(rows.map(({ name, value }) => [name, value]));
}

export async function setMeta(db: Statements, name: string, value: string): Promise<void> {
  await db.query(
    "INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    [name, value],
  );
}

/** Returns the values of all names that begin with `prefix`. */
export async function metas(db: Statements, prefix: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ name: string; value: string }>(
    'SELECT name, value FROM meta WHERE starts_with(name, $1) ORDER BY name COLLATE "C"',
    [prefix],
  );
  return new Map(rows.map(({ name, value }) => [name, value]));
}

/** Compare-and-set of several values, all or none; see {@link Store.changeMetas}. */
export async function changeMetas(
  db: Pick<PostgresDatabase, "transaction">,
  changes: readonly MetaChange[],
): Promise<boolean> {
  return db.transaction(async (tx) => {
    // A lock serializes the changes. A name without a value has no row that could be locked instead.
    await tx.query("SELECT pg_advisory_xact_lock(hashtextextended('answerback/metas', 0))");
    const rows = await tx.query<{ name: string; value: string }>(
      "SELECT name, value FROM meta WHERE name = ANY ($1::text[]) FOR UPDATE",
      [changes.map(({ name }) => name)],
    );
    const values = new Map(rows.map(({ name, value }) => [name, value]));
    if (changes.every(({ name, to }) => values.get(name) === to)) return true;
    if (changes.some(({ name, was }) => values.get(name) !== was)) return false;
    const puts = changes.flatMap(({ name, to }) => (to === undefined ? [] : [[name, to] as const]));
    const gone = changes.flatMap(({ name, to }) => (to === undefined ? [name] : []));
    if (gone.length > 0) await tx.query("DELETE FROM meta WHERE name = ANY ($1::text[])", [gone]);
    if (puts.length > 0)
      await tx.query(PUT, [puts.map(([name]) => name), puts.map(([, to]) => to)]);
    return true;
  });
}

const PUT = `
  INSERT INTO meta (name, value) SELECT name, value FROM unnest($1::text[], $2::text[]) AS given (name, value)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
