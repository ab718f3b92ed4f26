import { isPostgresUrl, shownUrl } from "../../system/postgres-url.ts";
import { StoreError } from "./errors.ts";
import type { Store } from "./store.ts";
import { shell } from "../../text/shell.ts";

/** Under this name a store that was moved has where it went, as people write it. */
export const MOVED_TO = "moved-to";

/**
 * Keeps a store from being worked on that has gone on elsewhere.
 *
 * @param url The setting that names it.
 * @throws {StoreError} `store-moved`.
 */
export async function refuseMoved(store: Pick<Store, "getMeta">, url: string): Promise<void> {
  const to = await store.getMeta(MOVED_TO);
  if (to !== undefined) throw movedError(shownUrl(url), to);
}

/** @param place The store, as people write it. */
export function movedError(place: string, to: string): StoreError {
  return new StoreError("store-moved", `the store ${place} was moved to ${to}`, {
    hint: `set store: to that   or bring it back with: ${shell`answerback move --from ${to} --to ${isPostgresUrl(to) ? "file:FOLDER" : "postgres://USER@HOST:5432/DATABASE"}`}`,
  });
}
