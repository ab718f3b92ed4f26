import type { Statements } from "../postgres/database.ts";
import { PostgresSide } from "../postgres/postgres-side.ts";
import { prepareStore } from "../postgres/schema.ts";
import { setMeta } from "../postgres/tables/meta.ts";
import { makeFile } from "../sqlite/file/new-file.ts";
import { SqliteSide } from "../sqlite/file/sqlite-side.ts";
import { MOVED_TO } from "../moved.ts";
import { copyStore, type MovedRows, type OnMoveProgress } from "../copy/copy.ts";
import { connectToMove, holdDatabase } from "./held-database.ts";
import { putInPlace, refuseFullFolder } from "./new-folder.ts";

export interface MoveToFolder {
  readonly way: "to-folder";
  readonly url: string;
  /** URL of the store for messages, without secrets. */
  readonly place: string;
  /** Absolute path of an existing folder. */
  readonly folder: string;
  /** Subfolder that contains the linked accounts, and in which the new files are created. */
  readonly incoming: string;
  /** Name of the subfolder for the files of an earlier store that was moved away. */
  readonly asideName: string;
}

/** Moves the store of a database into a folder, completely or not at all. @throws {StoreError} */
export async function moveToFolder(
  { url, place, folder, incoming, asideName }: MoveToFolder,
  onProgress: OnMoveProgress,
): Promise<MovedRows> {
  await refuseFullFolder(folder);
  const db = connectToMove(url);
  let undo = async (): Promise<void> => {};
  try {
    const { partitions, id } = await prepareStore(db, true);
    return await db.transaction(async (tx: Statements) => {
      await holdDatabase(tx, place);
      const rows = await fill(new PostgresSide(tx, partitions), incoming, onProgress);
      await setMeta(tx, MOVED_TO, `file:${folder}`);
      undo = await putInPlace(incoming, folder, { id, asideName });
      return rows;
    });
  } catch (error) {
    await undo();
    throw error;
  } finally {
    await db.close();
  }
}

async function fill(
  from: PostgresSide,
  incoming: string,
  onProgress: OnMoveProgress,
): Promise<MovedRows> {
  const file = await makeFile(incoming);
  try {
    return await copyStore(from, new SqliteSide(file), onProgress);
  } finally {
    file.close();
  }
}
