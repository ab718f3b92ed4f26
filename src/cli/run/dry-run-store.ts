import { sealedAccountsOf } from "../../runtime/accounts/stored-accounts.ts";
import { openMemoryStore } from "../../runtime/store/memory-store.ts";
import { openStore, type PoolOptions } from "../../runtime/store/open.ts";
import type { Store } from "../../runtime/store/store.ts";
import { UsageError } from "../../errors.ts";
import { isPostgresUrl, shownUrl } from "../../system/postgres-url.ts";

/** Says for a moment that somebody looks who is there. */
const SELF = "dry run";
const MOMENT_MS = 1;

/**
 * A store in memory for a bot that keeps nothing, with the linked accounts where those are in a store that several
 * machines share.
 *
 * @param url The setting `store`.
 * @throws {UsageError} when a process is at work on that store: deliveries would come to one of the two.
 * @throws {StoreError} when it can't be read.
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
      throw new UsageError(`${shownUrl(url)} is at work: ${names}`, { hint: STOP_FIRST });
    }
    await memory.changeMetas(await sealedAccountsOf(shared));
    return memory;
  } finally {
    await shared.close();
  }
}

/** What to do where a bot is at work. */
export const STOP_FIRST = "stop it first, or try rules on what it has kept: answerback backtest";
