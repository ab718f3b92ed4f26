import { isPostgresUrl, shownUrl } from "../../system/postgres-url.ts";
import { StoreError } from "./errors.ts";
import type { Store } from "./store.ts";
import { shell } from "../../text/shell.ts";

/** Name under which a moved store keeps its new place, as users write it. */
export const MOVED_TO = "moved-to";

/**
 * Refuses to open a store for writing that was moved to another place.
 *
 * @param url Setting that names the store.
 * @throws {StoreError} `store-moved`.
 */
export async function refuseMoved(store: Pick<Store, "getMeta">, url: string): Promise<void> {
  const to = await store.getMeta(MOVED_TO);
  if (to !== undefined) throw movedError(shownUrl(url), to);
}

/** @param place The store, as users write it. */
export function movedError(place: string, to: string): StoreError {
  return new StoreError("store-moved", `the store ${place} was moved to ${to}`, {
    hint: `set store: to that   or bring it back with: ${shell`answerback move --from ${to} --to ${isPostgresUrl(to) ? "file:FOLDER" : "postgres://USER@HOST:5432/DATABASE"}`}`,
  });
}
