import type { AccountRegistry } from "./registry.ts";

/**
 * Takes the linked accounts of one registry over into another, tokens and revocations and all; those of the same id
 * there are replaced, others stay.
 *
 * @returns How many there were.
 */
export async function copyAccounts(
  from: Pick<AccountRegistry, "list">,
  to: Pick<AccountRegistry, "put">,
): Promise<number> {
  const accounts = from.list();
  for (const account of accounts) await to.put(account);
  return accounts.length;
}
