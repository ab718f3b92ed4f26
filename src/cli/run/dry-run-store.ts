import { sealedAccountsOf } from "../../runtime/accounts/stored-accounts.ts";
import { openMemoryStore } from "../../runtime/store/memory-store.ts";
import { openStore, type PoolOptions } from "../../runtime/store/open.ts";
import type { Store } from "../../runtime/store/store.ts";
import { UsageError } from "../../errors.ts";
import { isPostgresUrl, shownUrl } from "../../system/postgres-url.ts";

/** Name of the dry run, and for how long it registers as a process of the store. Registering returns all processes. */
const SELF = "dry run";
const MOMENT_MS = 1;

/**
 * Creates a store in memory for a dry run. Copies the linked accounts if they are in a shared
 * store.
 *
 * @param url The setting `store`.
 * @throws {UsageError} if a process uses that store: each delivery would reach only one of the two.
 * @throws {StoreError} if the store can't be read.
 */
export async function dryRunStore(
  url: string,
  { postgres }: { readonly postgres?: PoolOptions },
): Promise<Store> {
  const memory = openMemoryStore();
  if (!isPostgresUrl(url)) return memory;
  const shared = await openStore(url, postgres === undefined ? {} : { postgres });
  try {
    const present = await shared.attend(SELF, "", MOMENT_MS);
    const others = present.filter(({ process }) => process !== SELF);
    if (others.length > 0) {
      const names = others.map(({ process }) => process).join(", ");
      throw new UsageError(`${shownUrl(url)} is in use: ${names}`, { hint: STOP_FIRST });
    }
    await memory.changeMetas(await sealedAccountsOf(shared));
    return memory;
  } finally {
    await shared.close();
  }
}

/** Hint for a dry run while the bot is running. */
export const STOP_FIRST = "stop it first, or try rules on what it has kept: answerback backtest";
