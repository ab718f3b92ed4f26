import { fileURLToPath } from "node:url";
import { isAbsolute, resolve } from "node:path";
import { isPostgresUrl } from "../../system/postgres-url.ts";
import { StoreError } from "./errors.ts";
import { refuseMoved } from "./moved.ts";
import type { DatabaseOptions } from "./postgres/database.ts";
import { openSqliteStore, type SqliteOptions } from "./sqlite/sqlite-store.ts";
import type { Store } from "./store.ts";
import { noteWriter, type WriterChange } from "./written-by.ts";

/** Options for opening a store, beyond its URL. */
export interface StoreOptions extends SqliteOptions {
  /** Folder from which a relative `file:` path starts. Default: the working folder. */
  readonly base?: string;
  /** Connection settings of this process for a PostgreSQL store. */
  readonly postgres?: PoolOptions;
  /** Called when another version of Answerback wrote the store before. */
  readonly onWriter?: (change: WriterChange) => void;
}

/** Options for the connections of one process to a PostgreSQL store. */
export type PoolOptions = Omit<DatabaseOptions, "readOnly">;

/**
 * Opens the store that the setting `store` names. Creates the store if it does not exist.
 *
 * @param url `file:` and a folder, absolute or relative to `options.base`, such as `file:./data`; or the URL of a
 *   PostgreSQL database, such as `postgres://user@host:5432/name`.
 * @throws {StoreError} `store-url` for any other setting, `store-locked` if another runtime uses the folder,
 *   `store-moved` if the store was moved and is opened for writing, `store-schema` if a newer version wrote the store
 *   or its tables don't match its schema version, `store-old` if `readOnly` is set and they are missing or have to be
 *   migrated, `store-io` or `store-full` if the folder can't be created or read, or
 *   the database can't be reached.
 */
export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  const store = await openEngineOf(url, options);
  if (options.readOnly === true) return store;
  try {
    await refuseMoved(store, url);
    const change = await noteWriter(store);
    if (change !== undefined) options.onWriter?.(change);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openEngineOf(url: string, options: StoreOptions): Promise<Store> {
  if (isPostgresUrl(url)) {
    // loaded only when needed: bots with a file store do not use it
    const { openPostgresStore } = await import("./postgres/postgres-store.ts");
    const { postgres, onMigrated, readOnly = false } = options;
    return openPostgresStore(url, { ...postgres, readOnly, ...(onMigrated && { onMigrated }) });
  }
  return openSqliteStore(folderOf(url, options.base ?? process.cwd()), options);
}

/**
 * Returns the folder of a `file:` setting.
 *
 * @param base Folder from which a relative path starts.
 * @throws {StoreError} `store-url` if the setting names no folder.
 */
export function folderOf(url: string, base: string): string {
  const path = url.startsWith("file:") ? url.slice("file:".length) : "";
  if (path === "" || path === "//") {
    throw new StoreError("store-url", `store: ${JSON.stringify(url)} names no folder`, {
      hint: "set store: to a folder, such as file:./data",
    });
  }
  if (path.startsWith("//")) return fileURLToPath(url);
  return isAbsolute(path) ? path : resolve(base, path);
}
