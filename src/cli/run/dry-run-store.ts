import { sealedAccountsOf } from "../../runtime/accounts.ts";
import { openMemoryStore } from "../../runtime/interpreting.ts";
import { openStore } from "../../runtime/stores.ts";
import type { PoolOptions, Store } from "../../runtime/vocabulary.ts";
import { UsageError } from "../../errors.ts";
import { isPostgresUrl, shownUrl } from "../../system/postgres-url.ts";

/**
 * Process name of the dry run in the shared store. It registers there for `MOMENT_MS`, only to get the names of the
 * running processes.
 */
const SELF = "dry run";
const MOMENT_MS = 1;

/**
 * Creates a store in memory for a dry run. If the setting names a shared store, copies its linked accounts.
 *
 * @param url The setting `store`.
 * @throws {UsageError} if a running process uses the shared store: each delivery would reach either that process or the
 * dry run.
 * @throws {StoreError} if the shared store can't be read.
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

/** Hint for an operator who starts a dry run while the bot is running. */
export const STOP_FIRST = "stop it first, or try rules on what it has kept: answerback backtest";
