import type pg from "pg";

/** Database schema that contains copies of the rows that {@link keepAsNew} found. */
const KEPT = "as_new";

const TABLES = `
  SELECT c.oid::regclass::text AS name,
    (SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
     WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'r' AND n.nspname <> '${KEPT}' AND n.nspname !~ '^(pg_|information_schema$)'
  ORDER BY c.oid`;

const SEQUENCES = `
  SELECT format('%I.%I', schemaname, sequencename) AS name, start_value AS start, last_value AS last
  FROM pg_sequences WHERE schemaname <> '${KEPT}'`;

interface Table {
  readonly name: string;
  readonly columns: string;
}

interface Sequence {
  readonly name: string;
  readonly start: string;
  /** Last number that the sequence returned; null if it has not been used yet. */
  readonly last: string | null;
}

/** Copies the rows and sequences of a database, so that {@link madeNew} can restore them. */
export async function keepAsNew(database: pg.Pool): Promise<void> {
  const { rows: tables } = await database.query<Table>(TABLES);
  const { rows: sequences } = await database.query<Sequence>(SEQUENCES);
  await database.query(`CREATE SCHEMA ${KEPT}`);
  const back: string[] = [];
  for (const [n, { name, columns }] of tables.entries()) {
    const copy = `${KEPT}.rows_${n}`;
    const { rowCount } = await database.query(`CREATE TABLE ${copy} AS TABLE ${name}`);
    if (rowCount === 0) continue;
    back.push(
      `INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM ${copy};`,
    );
  }
  const numbers = sequences.map(
    ({ name, start, last }) =>
      `PERFORM setval('${name}', ${last ?? start}, ${last === null ? "false" : "true"});`,
  );
  await database.query(`
    CREATE FUNCTION ${KEPT}.again() RETURNS boolean LANGUAGE plpgsql
    SET session_replication_role = replica SET lock_timeout = '20s' AS $$
    BEGIN
      PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid();
      IF (SELECT count(*) FROM (${TABLES}) t) <> ${tables.length} THEN RETURN false; END IF;
      ${tables.map(({ name }) => `DELETE FROM ${name};`).join("\n")}
      ${back.join("\n")}
      ${numbers.join("\n")}
      RETURN true;
    END $$`);
}

/**
 * Restores the state that {@link keepAsNew} copied, and ends all other connections.
 *
 * @returns Whether the state was restored: `false` if the number of tables has changed since {@link keepAsNew}.
 */
export async function madeNew(database: pg.Pool): Promise<boolean> {
  const { rows } = await database.query<{ again: boolean }>(`SELECT ${KEPT}.again()`);
  return rows[0]?.again === true;
}
