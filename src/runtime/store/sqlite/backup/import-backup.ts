import { join } from "node:path";
import { copyStore } from "../../copy/copy.ts";
import type { Cells, CopiedTable, CopySource } from "../../copy/sides.ts";
import { RESTORED_FROM } from "../../restored.ts";
import type { Cell, StoredColumn } from "../../tables/columns.ts";
import { openDatabase } from "../binding.ts";
import { makeFile, sync } from "../file/new-file.ts";
import { SqliteSide } from "../file/sqlite-side.ts";
import { checkShape, migrate, SCHEMA_VERSION } from "../schema.ts";
import { type BackupAbout, contentsOf, noBackup } from "./backup-contents.ts";
import { asStoreError, writeOut } from "./backup-file.ts";

/**
 * Copies the rows of a backup into a new `store.db` in `folder`, and the backup's other files into the same folder.
 *
 * @param copy Copy of the backup. The import changes it: tables of an earlier version are migrated in this copy.
 * @param shown Path of the backup, for messages.
 * @throws {StoreError} for a row that the tables of this version can't contain.
 */
export async function importBackup(
  copy: string,
  folder: string,
  shown: string,
): Promise<{ readonly id: string; readonly about: BackupAbout }> {
  const db = openDatabase(copy);
  try {
    const about = contentsOf(db, shown);
    for (const name of about.files) await writeOut(db, name, join(folder, name));
    db.exec("DROP TABLE backup_files; DROP TABLE backup_about");
    migrate(db);
    checkShape(db, SCHEMA_VERSION);
    const store = await makeFile(folder);
    try {
      await copyStore(typed(new SqliteSide(db), shown), new SqliteSide(store), () => {});
      const put = store.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)");
      put.run(RESTORED_FROM, String(about.takenAt));
      const id = store.prepare<{ value: string }>("SELECT value FROM meta WHERE name = 'store-id'");
      return { id: id.get()?.value ?? "", about };
    } finally {
      store.close();
      await sync(join(folder, "store.db"));
    }
  } catch (error) {
    throw asStoreError(error, shown);
  } finally {
    db.close();
  }
}

/**
 * Wraps a source so that reading fails if a value's type is not the type of its column. SQLite does not check types.
 */
function typed(from: SqliteSide, shown: string): CopySource {
  return {
    count: (table) => from.count(table),
    numbers: () => from.numbers(),
    async *read(table) {
      for await (const rows of from.read(table)) {
        for (const row of rows) refuseMistyped(table, row, shown);
        yield rows;
      }
    },
  };
}

function refuseMistyped({ name, columns }: CopiedTable, row: Cells, shown: string): void {
  for (const [at, [column, { type }]] of Object.entries(columns).entries()) {
    if (isOf(type, row[at] ?? null)) continue;
    throw noBackup(shown, `has a row of ${name} whose ${column} is of another type`);
  }
}

function isOf(type: StoredColumn["type"], cell: Cell): boolean {
  if (cell === null) return true;
  return type === "text" ? typeof cell === "string" : Number.isSafeInteger(cell);
}
