import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "../../errors.ts";
import { moveStore } from "../../runtime/stores.ts";
import type { MovedRows, OnMoveProgress } from "../../runtime/vocabulary.ts";
import { createFolder } from "../../system/files/created-folder.ts";
import { exists } from "../arguments/settings-flags.ts";
import { accountsOfFolder, accountsToFolder } from "./carry-accounts.ts";
import type { StorePlace } from "./place-of-store.ts";
import { shell } from "../../text/shell.ts";

export interface MoveOptions {
  /** Key that decrypts and encrypts the accounts' tokens, from `ANSWERBACK_KEY`. */
  readonly key: string | undefined;
  readonly onProgress: OnMoveProgress;
  readonly signal: AbortSignal;
}

/** Numbers of moved rows and accounts. */
export interface Moved {
  readonly rows: MovedRows;
  readonly accounts: number;
}

/**
 * Moves a store and its linked accounts from a folder (SQLite) to a PostgreSQL database, or back.
 *
 * @returns `undefined` if the move was interrupted; nothing has changed then.
 * @throws {UsageError} if a move between the two places is impossible or unnecessary.
 * @throws {StoreError} if the store can't be moved; nothing has changed then.
 */
export async function moveBetween(
  from: StorePlace,
  to: StorePlace,
  options: MoveOptions,
): Promise<Moved | undefined> {
  if (from.kind === "folder" && to.kind === "postgres") {
    const { folder } = from;
    if (!(await exists(folder, "store.db")) && !(await exists(folder, "store.id"))) {
      throw new UsageError(`there is no store in ${folder}`, {
        hint: "name the folder of the bot's data with --from file:FOLDER",
      });
    }
    const { values: accounts, count } = await accountsOfFolder(folder, options.key);
    const { url, shown: place } = to;
    const rows = await moveStore({ way: "to-postgres", folder, url, place, accounts }, options);
    return rows && { rows, accounts: count };
  }
  if (from.kind === "postgres" && to.kind === "folder") return toFolder(from, to, options);
  if (from.shown === to.shown) {
    throw new UsageError(`${from.shown} is both the current and the new place of the store`, {
      hint: "name two places: --from file:FOLDER --to postgres://USER@HOST:5432/DATABASE",
    });
  }
  throw new UsageError(
    from.kind === "folder"
      ? "both stores are folders; rename the folder instead"
      : "both stores are databases; use PostgreSQL's own tools to copy one to the other",
    {
      hint:
        from.kind === "folder"
          ? `stop the bot and rename the folder: ${shell`mv ${from.folder} ${to.kind === "folder" ? to.folder : ""}`}`
          : "stop every process, then: pg_dump --format=custom, and pg_restore into the other database",
    },
  );
}

async function toFolder(
  from: StorePlace & { readonly kind: "postgres" },
  { folder }: StorePlace & { readonly kind: "folder" },
  options: MoveOptions,
): Promise<Moved | undefined> {
  const { url, shown: place } = from;
  const removeCreated = await createFolder(folder);
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(":", "");
  const asideName = `before-move.${stamp}`;
  // Deletes temporary folders of moves that were killed.
  for (const name of (await readdir(folder)).filter((one) => one.startsWith(INCOMING))) {
    await rm(join(folder, name), { recursive: true, force: true });
  }
  const incoming = await mkdtemp(join(folder, INCOMING));
  let rows: MovedRows | undefined;
  try {
    const accounts = await accountsToFolder(url, options.key, incoming);
    rows = await moveStore({ way: "to-folder", url, place, folder, incoming, asideName }, options);
    return rows && { rows, accounts };
  } finally {
    await rm(incoming, { recursive: true, force: true });
    if (rows === undefined) await removeCreated();
  }
}

/** Prefix of the temporary folder in which the moved files are created before any file is replaced. */
const INCOMING = ".moving-";
