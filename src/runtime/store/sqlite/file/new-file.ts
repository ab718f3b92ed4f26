import { open } from "node:fs/promises";
import { join } from "node:path";
import { syncFile } from "../../../../system/files/own-file.ts";
import { type Database, openDatabase } from "../binding.ts";
import { migrate } from "../schema.ts";
import { PAGE_BYTES } from "./open-file.ts";

/** Creates the file of an empty store. Does not sync its writes, because after a failure the file is discarded. */
export async function makeFile(incoming: string): Promise<Database> {
  const path = join(incoming, "store.db");
  await (await open(path, "wx", 0o600)).close();
  const db = openDatabase(path);
  for (const pragma of [
    `page_size = ${PAGE_BYTES}`,
    "journal_mode = OFF",
    "synchronous = OFF",
    "locking_mode = EXCLUSIVE",
  ]) {
    db.exec(`PRAGMA ${pragma}`);
  }
  migrate(db);
  return db;
}

/** Waits until the content of a file is on disk. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await syncFile(handle);
  } finally {
    await handle.close();
  }
}
