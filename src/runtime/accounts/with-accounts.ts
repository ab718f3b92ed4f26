import { isPostgresUrl } from "../../system/postgres-url.ts";
import { openStore, type PoolOptions } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import { accountHandles } from "./handles.ts";
import { type AccountRegistry, openAccounts } from "./registry.ts";
import { openStoredAccounts, storedHandles } from "./stored-accounts.ts";

/** Location of a bot's accounts: its data folder, or a store that several machines share. */
export interface AccountsPlace {
  readonly store: { readonly url: string };
  readonly postgres: PoolOptions;
  /** Data folder of this machine, absolute. */
  readonly folder: string;
}

/**
 * Opens a bot's linked accounts, calls `work` with them, and closes them.
 *
 * @param key Value of `ANSWERBACK_KEY`, which a shared store needs.
 * @throws {SealError} if the tokens can't be decrypted with the key.
 * @throws {AccountsFileError} if the stored accounts are damaged.
 * @throws {StoreError} if a shared store can't be opened.
 */
export async function withAccounts<T>(
  place: AccountsPlace,
  key: string | undefined,
  work: (accounts: AccountRegistry) => T | Promise<T>,
): Promise<T> {
  if (!isPostgresUrl(place.store.url)) return work(await openAccounts(place.folder, key));
  return withStore(place, async (store) => work(await openStoredAccounts(store, key)));
}

/** Returns the handles of the linked accounts by user id, without `@`: for callers that need no tokens, and so no key. */
export async function handlesIn(place: AccountsPlace): Promise<Readonly<Record<string, string>>> {
  if (!isPostgresUrl(place.store.url)) return accountHandles(place.folder);
  return withStore(place, storedHandles);
}

async function withStore<T>(
  { store: { url }, postgres }: AccountsPlace,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await openStore(url, { postgres });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
