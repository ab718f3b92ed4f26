import type { AccountRegistry } from "./registry.ts";

/**
 * Copies the linked accounts of one registry to another, with tokens and revocations. Accounts with the same id are
 * replaced; other accounts of the target stay.
 *
 * @returns Number of copied accounts.
 */
export async function copyAccounts(
  from: Pick<AccountRegistry, "list">,
  to: Pick<AccountRegistry, "put">,
): Promise<number> {
  const accounts = from.list();
  for (const account of accounts) await to.put(account);
  return accounts.length;
}
