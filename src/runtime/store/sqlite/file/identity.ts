import { rmSync } from "node:fs";
import { access, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { refuseUnsafe, replaceFile, replaceFileSync } from "../../../../system/files/own-file.ts";
import { isMissingFile } from "../../../../system/files/missing-file.ts";
import { StoreError } from "../../errors.ts";
import { shell } from "../../../../text/shell.ts";

const identity = z.object({
  id: z.string(),
  /** `in-use` while a process has the store open, and after that process was killed. */
  state: z.enum(["in-use", "closed"]),
});

/** Content of `store.id`: the store's id, and whether its WAL must exist. */
export type StoreIdentity = z.infer<typeof identity>;

/** Name of the file that shows that a folder has a store, even if the store's file is missing. */
const FILE = "store.id";

/**
 * Checks that no file of an existing store is missing.
 *
 * @returns Content of `store.id`; undefined if there is no such file, or it is unreadable.
 * @throws {StoreError} `store-gone` if the store or its WAL is missing.
 */
export async function checkPresence(folder: string): Promise<StoreIdentity | undefined> {
  const text = await textOf(join(folder, FILE));
  const idFile = text === undefined ? undefined : read(text);
  const hasLog = await exists(join(folder, "store.db-wal"));
  const bytes = await sizeOf(join(folder, "store.db"));
  if (bytes === 0 && (text !== undefined || hasLog)) {
    throw new StoreError(
      "store-gone",
      `${folder}: store.db is empty or missing, but there was a store before`,
      {
        hint: `bring back a backup with: answerback restore FILE   or begin with an empty store: ${shell`rm ${join(folder, FILE)} ${join(folder, "store.db")}*`}`,
      },
    );
  }
  if (idFile?.state === "in-use" && !hasLog) {
    throw new StoreError(
      "store-gone",
      `${folder}: store.db-wal is missing, which holds the latest writes because the bot was not stopped cleanly`,
      {
        hint: `put it back beside store.db, bring back a backup with: answerback restore FILE   or go on with what is left: ${shell`rm ${join(folder, FILE)}`}`,
      },
    );
  }
  return idFile;
}

/** Writes `store.id` atomically. */
export async function writeIdentity(folder: string, content: StoreIdentity): Promise<void> {
  await replaceFile(join(folder, FILE), `${JSON.stringify(content)}\n`);
}

/**
 * Records synchronously that the store is closed and its WAL may be missing. When the process or the store thread ends,
 * SQLite moves the WAL into the database file and deletes the WAL.
 */
export function noteClosed(folder: string, id: string): void {
  const closed: StoreIdentity = { id, state: "closed" };
  try {
    replaceFileSync(join(folder, FILE), `${JSON.stringify(closed)}\n`);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // On a full disk no new content can be written. Without `store.id`, the next start accepts the existing files.
    rmSync(join(folder, FILE), { force: true });
  }
}

function read(text: string): StoreIdentity | undefined {
  try {
    return identity.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function textOf(file: string): Promise<string | undefined> {
  refuseUnsafe(file);
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (isMissingFile(error)) return 0;
    throw error;
  }
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
