import { rmSync } from "node:fs";
import { access, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { refuseUnsafe, replaceFile, replaceFileSync } from "../../../../system/own-file.ts";
import { isMissingFile } from "../../../../system/missing-file.ts";
import { StoreError } from "../../errors.ts";
import { shell } from "../../../../text/shell.ts";

const identity = z.object({
  id: z.string(),
  /** `in-use` as long as a process has the store open, and after one that was killed. */
  state: z.enum(["in-use", "closed"]),
});

/** What `store.id` says: that there is a store here, which one, and whether its log must be there, too. */
export type StoreIdentity = z.infer<typeof identity>;

/** The file beside the store that tells when the store is gone. */
const FILE = "store.id";

/**
 * Looks whether all of a store is there, where there was one.
 *
 * @returns What `store.id` says; undefined where there is no such file, or none that can be read.
 * @throws {StoreError} `store-gone` when the store or its log of writes is missing.
 */
export async function checkPresence(folder: string): Promise<StoreIdentity | undefined> {
  const text = await textOf(join(folder, FILE));
  const known = text === undefined ? undefined : read(text);
  const hasLog = await exists(join(folder, "store.db-wal"));
  const bytes = await sizeOf(join(folder, "store.db"));
  if (bytes === 0 && (text !== undefined || hasLog)) {
    throw new StoreError(
      "store-gone",
      `${folder}: store.db is empty or missing, and there was a store`,
      {
        hint: `bring back a backup with: answerback restore FILE   or begin with an empty store: ${shell`rm ${join(folder, FILE)} ${join(folder, "store.db")}*`}`,
      },
    );
  }
  if (known?.state === "in-use" && !hasLog) {
    throw new StoreError(
      "store-gone",
      `${folder}: store.db-wal is missing, which holds the latest writes of a bot that was not stopped`,
      {
        hint: `put it back beside store.db, bring back a backup with: answerback restore FILE   or go on with what is left: ${shell`rm ${join(folder, FILE)}`}`,
      },
    );
  }
  return known;
}

/** Writes `store.id`. */
export async function writeIdentity(folder: string, content: StoreIdentity): Promise<void> {
  await replaceFile(join(folder, FILE), `${JSON.stringify(content)}\n`);
}

/**
 * Notes that nobody misses the log of writes any more, at once: while the process or the store's thread ends,
 * SQLite puts the log into the file and takes it away.
 */
export function noteClosed(folder: string, id: string): void {
  const closed: StoreIdentity = { id, state: "closed" };
  try {
    replaceFileSync(join(folder, FILE), `${JSON.stringify(closed)}\n`);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // A full disk takes no new text. Without any, whatever is there counts as the store.
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
