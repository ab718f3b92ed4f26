import {
  type AccountRegistry,
  AccountsFileError,
  openAccounts,
} from "../../runtime/accounts/registry.ts";
import { openAccountNames, openStoredAccounts } from "../../runtime/accounts/stored-accounts.ts";
import { pollLoop } from "../../runtime/loop/poll-loop.ts";
import { LOG_EVERY_MS, throttle } from "../../system/time/throttle.ts";
import type { Store } from "../../runtime/store/store.ts";
import { isPostgresUrl } from "../../system/postgres-url.ts";
import type { SettledOptions } from "./settled-options.ts";
import type { BotParts } from "../parts.ts";

/** Interval of polls for account changes by other machines, in real milliseconds. */
const ACCOUNTS_EVERY_MS = 1_000;

/**
 * Opens the linked accounts: in the data folder, or in the store if several machines share it.
 *
 * @throws {AccountsFileError} when accounts were linked and their file is gone.
 */
export async function accountsOf(
  options: SettledOptions,
  parts: Pick<BotParts, "store" | "log" | "cleanup">,
): Promise<AccountRegistry> {
  const accounts = await registryOf(options, parts);
  await checkAccounts(accounts, parts.store, options.folder);
  await accounts.reencryptOldTokens();
  return accounts;
}

async function registryOf(
  { settings, folder, environment }: SettledOptions,
  { store, log, cleanup }: Pick<BotParts, "store" | "log" | "cleanup">,
): Promise<AccountRegistry> {
  const key = environment["ANSWERBACK_KEY"];
  if (!isPostgresUrl(settings.store.url)) return openAccounts(folder, key);
  // A receiver sends nothing, so it decrypts no tokens even if it has the key.
  const accounts =
    settings.role === "receiver"
      ? await openAccountNames(store)
      : await openStoredAccounts(store, key);
  const loop = pollLoop({
    poll: () => accounts.look(),
    everyMs: ACCOUNTS_EVERY_MS,
    onError: throttle<unknown>(LOG_EVERY_MS, (error) =>
      log.error(
        { err: error },
        "changes of the linked accounts by other machines could not be read",
      ),
    ),
  });
  const stopListening = store.onNews?.((news) => {
    if (news === "anything") loop.wake();
  });
  cleanup.add("the reading of the accounts", () => {
    stopListening?.();
    return loop.stop();
  });
  return accounts;
}

/** Name of the store's value that records that accounts were linked. */
const LINKED = "accounts-linked";

/** Checks that linked accounts are still there. @throws {AccountsFileError} when their file is gone. */
async function checkAccounts(
  accounts: Pick<AccountRegistry, "isThere" | "list">,
  store: Pick<Store, "getMeta" | "setMeta">,
  folder: string,
): Promise<void> {
  const wereLinked = (await store.getMeta(LINKED)) !== undefined;
  if (wereLinked && !accounts.isThere) {
    throw new AccountsFileError(
      `${folder}: accounts.json is missing, but accounts were linked before`,
    );
  }
  if (!wereLinked && accounts.list().length > 0) await store.setMeta(LINKED, "yes");
}
