import { isUtf8 } from "node:buffer";
import { type Database, openDatabase } from "../binding.ts";
import { noBackup } from "./backup-contents.ts";
import { asStoreError } from "./backup-file.ts";

const BATCH = 10_000;
/** GLOB pattern of a text with a character beyond ASCII, including characters from invalid bytes. */
const BEYOND_ASCII = "*[^\u0001-\u007f]*";

/**
 * Refuses a file with a text that is not UTF-8. libsql ends the whole process when it reads such a text.
 *
 * @param shown Path for messages.
 * @throws {StoreError} `store-corrupt`
 */
export function refuseInvalidText(path: string, shown: string): void {
  const db = openDatabase(path);
  try {
    refuseIn(db, "sqlite_master", ["type", "name", "tbl_name", "sql"], shown);
    for (const { name } of db.prepare<Named>(TABLES).all()) {
      const columns = db.prepare<Named>("SELECT name FROM pragma_table_xinfo(?)").all(name);
      const names = columns.map((column) => column.name);
      refuseIn(db, name, names, shown);
    }
  } catch (error) {
    throw asStoreError(error, shown);
  } finally {
    db.close();
  }
}

interface Named {
  readonly name: string;
}

/** SQL query for the names of ordinary tables. Views and virtual tables could return an endless number of rows. */
const TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE%'";

function refuseIn(db: Database, table: string, columns: readonly string[], shown: string): void {
  for (const column of columns.map(quoted)) {
    const page = db.prepare<{ readonly bytes: Uint8Array }>(
      `SELECT CAST(${column} AS BLOB) AS bytes FROM ${quoted(table)} WHERE typeof(${column}) = 'text'
        AND (${column} GLOB ? OR instr(CAST(${column} AS BLOB), x'00') > 0) LIMIT ${BATCH} OFFSET ?`,
    );
    for (let at = 0, size = BATCH; size === BATCH; at += BATCH) {
      const rows = page.all(BEYOND_ASCII, at);
      size = rows.length;
      if (!rows.every(({ bytes }) => isUtf8(bytes)))
        throw noBackup(shown, "has a text that is not UTF-8");
    }
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
