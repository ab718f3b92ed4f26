import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { StoreError } from "../errors.ts";
import { writeIdentity } from "../sqlite/file/identity.ts";
import { sync } from "../sqlite/file/new-file.ts";
import { syncFolder } from "../../../system/files/sync-folder.ts";
import { holdFolder } from "./held-folder.ts";

/** Names of the files of a store, including its identity and linked accounts. */
const STORES = /^(store\.db(-wal|-shm|-journal)?|store\.id|accounts\.json)$/;

/**
 * Checks that a store may be moved into a folder: the folder has no store, or only one that was moved away before.
 *
 * @throws {StoreError} `store-locked` if the folder has a store in use.
 */
export async function refuseFullFolder(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => STORES.test(name));
  if (names.length === 0) return;
  if (names.includes("store.db")) {
    const held = await holdFolder(folder);
    held.close();
    if (held.movedTo !== undefined) return;
  }
  throw new StoreError("store-locked", `${folder} is not empty: it has ${names.join(", ")}`, {
    hint: "name a new folder with --to file:FOLDER",
  });
}

/**
 * Moves the new files of a store from `incoming` to `folder`. First moves the files of an earlier store to a subfolder.
 *
 * @returns A function that undoes the moves.
 */
export async function putInPlace(
  incoming: string,
  folder: string,
  { id, asideName }: { readonly id: string; readonly asideName: string },
): Promise<() => Promise<void>> {
  const undo: (() => Promise<void>)[] = [];
  const move = async (from: string, to: string): Promise<void> => {
    await rename(from, to);
    undo.unshift(() => rename(to, from));
  };
  await sync(join(incoming, "store.db"));
  const before = (await readdir(folder)).filter((name) => STORES.test(name));
  const aside = join(folder, asideName);
  if (before.length > 0) await mkdir(aside, { mode: 0o700 });
  for (const name of before) await move(join(folder, name), join(aside, name));
  const files = (await readdir(incoming)).filter((name) => STORES.test(name));
  // `store.db` comes last: until then the folder has no store.
  for (const name of files.toSorted()) await move(join(incoming, name), join(folder, name));
  await writeIdentity(folder, { id, state: "closed" });
  undo.unshift(() => rm(join(folder, "store.id"), { force: true }));
  syncFolder(folder);
  return async () => {
    for (const back of undo) await back();
  };
}
