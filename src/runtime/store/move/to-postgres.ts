import type { Statements } from "../postgres/database.ts";
import { refuseUnsafeServer } from "../postgres/durability.ts";
import { PostgresSide } from "../postgres/postgres-side.ts";
import { prepareStore } from "../postgres/schema.ts";
import { SqliteSide } from "../sqlite/file/sqlite-side.ts";
import { setMeta } from "../postgres/tables/meta.ts";
import { copyStore, type MovedRows, type OnMoveProgress } from "../copy/copy.ts";
import { connectToMove, holdDatabase, refuseFull } from "./held-database.ts";
import { holdFolder, refuseMovedFolder } from "./held-folder.ts";

export interface MoveToPostgres {
  readonly way: "to-postgres";
  /** Absolute path of the folder. */
  readonly folder: string;
  readonly url: string;
  /** URL of the store for messages, without secrets. */
  readonly place: string;
  /** Linked accounts, as named values of the table `meta`. */
  readonly accounts: readonly (readonly [name: string, value: string])[];
}

/** Moves the store of a folder into a database, in one transaction. @throws {StoreError} */
export async function moveToPostgres(
  { folder, url, place, accounts }: MoveToPostgres,
  onProgress: OnMoveProgress,
): Promise<MovedRows> {
  const held = await holdFolder(folder);
  try {
    refuseMovedFolder(held, folder);
    const db = connectToMove(url);
    try {
      await refuseUnsafeServer(db);
      const { partitions } = await prepareStore(db, false);
      const rows = await db.transaction(async (tx: Statements) => {
        await holdDatabase(tx, place);
        await refuseFull(tx, place, held.id);
        const to = new PostgresSide(tx, partitions);
        const copied = await copyStore(new SqliteSide(held.db), to, onProgress);
        for (const [name, value] of accounts) await setMeta(tx, name, value);
        held.mark(place);
        return copied;
      });
      held.keepMark();
      return rows;
    } finally {
      await db.close();
    }
  } finally {
    held.close();
  }
}
