import { UsageError } from "../../errors.ts";
import type { AccountChange, LinkedAccount } from "./linked-account.ts";
import type { AccountRegistry } from "./registry.ts";

/** Linked accounts that this runtime answers for, in their current state. */
export interface ServedAccounts {
  readonly list: () => readonly LinkedAccount[];
  /** Finds an account by user id. */
  readonly find: (id: string) => LinkedAccount | undefined;
  /** Calls `listener` for every change of these accounts. Returns the function that unsubscribes. */
  readonly subscribe: (listener: (change: AccountChange) => void) => () => void;
}

/**
 * Restricts the registry to `handles`; an empty list means all accounts.
 *
 * @param handles Handles without `@`, in any case.
 * @throws {UsageError} if one of `handles` is not linked.
 */
export function servedAccounts(
  registry: Pick<AccountRegistry, "list" | "find" | "get" | "subscribe">,
  handles: readonly string[],
): ServedAccounts {
  const missing = handles.find((handle) => registry.find(handle) === undefined);
  if (missing !== undefined) {
    throw new UsageError(`the account @${missing} of the settings is not linked`, {
      hint: "link it with: answerback login",
    });
  }
  const wanted = new Set(handles.map((handle) => handle.toLowerCase()));
  const isServed = ({ id, username }: LinkedAccount): boolean =>
    wanted.size === 0 || wanted.has(username.toLowerCase()) || wanted.has(id);
  return {
    list: () => registry.list().filter(isServed),
    find(id) {
      const account = registry.get(id);
      return account !== undefined && isServed(account) ? account : undefined;
    },
    subscribe: (listener) =>
      registry.subscribe((change) => {
        if (isServed(change.account)) listener(change);
      }),
  };
}
