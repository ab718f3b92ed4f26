import { fileURLToPath } from "node:url";
import { isAbsolute, resolve } from "node:path";
import { StoreError } from "./errors.ts";
import { openSqliteStore, type SqliteOptions } from "./sqlite/sqlite-store.ts";
import type { Store } from "./store.ts";

/** How a store is opened, beyond where it is. */
export interface StoreOptions extends SqliteOptions {
  /** Folder that a relative `file:` path starts from. The working folder unless said. */
  readonly base?: string;
}

/**
 * Opens the store that the setting `store` names, and makes it when it is not there yet.
 *
 * @param url `file:` and a folder, absolute or relative to `options.base`: `file:./data`.
 * @throws {StoreError} `store-url` for any other setting, `store-locked` when a runtime holds
 *   the folder, `store-schema` when a newer version wrote it, `store-io` or `store-full` when
 *   the folder can't be made or read.
 */
export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  return openSqliteStore(folderOf(url, options.base ?? process.cwd()), options);
}

/** The folder of a `file:` setting. */
function folderOf(url: string, base: string): string {
  if (/^postgres(ql)?:\/\//u.test(url)) {
    throw new StoreError("store-url", "store: postgres:// is not kept by this version", {
      hint: "set store: to a folder, such as file:./data",
    });
  }
  const path = url.startsWith("file:") ? url.slice("file:".length) : "";
  if (path === "" || path === "//") {
    throw new StoreError("store-url", `store: ${JSON.stringify(url)} names no folder`, {
      hint: "set store: to a folder, such as file:./data",
    });
  }
  if (path.startsWith("//")) return fileURLToPath(url);
  return isAbsolute(path) ? path : resolve(base, path);
}
