import { isPostgresUrl, shownUrl } from "../../system/postgres-url.ts";
import { StoreError } from "./errors.ts";
import type { Store } from "./store.ts";
import { shell } from "../../text/shell.ts";

/** Name of the value in `meta` with the new place of a moved store, as users write it in the setting `store`. */
export const MOVED_TO = "moved-to";

/**
 * Refuses a store that was moved to another place. Call it before the store is used for writing.
 *
 * @param url Setting that names the store.
 * @throws {StoreError} `store-moved`.
 */
export async function refuseMoved(store: Pick<Store, "getMeta">, url: string): Promise<void> {
  const to = await store.getMeta(MOVED_TO);
  if (to !== undefined) throw movedError(shownUrl(url), to);
}

/** Error for a store that was moved. @param place The store's old place, as users write it. @param to Its new place. */
export function movedError(place: string, to: string): StoreError {
  return new StoreError("store-moved", `the store ${place} was moved to ${to}`, {
    hint: `set store: to that   or bring it back with: ${shell`answerback move --from ${to} --to ${isPostgresUrl(to) ? "file:FOLDER" : "postgres://USER@HOST:5432/DATABASE"}`}`,
  });
}
