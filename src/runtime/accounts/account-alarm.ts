import { shell } from "../../text/shell.ts";
import type { Log } from "../log.ts";
import type { Missing } from "../readiness.ts";
import type { LinkedAccount } from "./linked-account.ts";
import type { ServedAccounts } from "./served-accounts.ts";

/** Returns the shell command that links an account again. */
export function loginCommand(username: string): string {
  return shell`answerback login --username ${username}`;
}

/** Returns the reason why the platform refuses all requests of the account with this id; undefined if it does not. */
export type ReasonOf = (id: string) => string | undefined;

/**
 * Returns what is missing if no linked account can be used, because each is revoked or refused by the platform. Returns
 * `undefined` if one account can be used, or if none is linked.
 *
 * @param refused Returns the reason why the platform refuses all requests of an account, if it gave one.
 */
export function noAccountLeft(
  accounts: Pick<ServedAccounts, "list">,
  refused: ReasonOf,
): Missing | undefined {
  const all = accounts.list();
  const reasons = all.flatMap((account) => {
    const reason = idleReason(account, refused);
    return reason === undefined ? [] : [`@${account.username}: ${reason}`];
  });
  if (all.length === 0 || reasons.length < all.length) return undefined;
  return { part: "accounts", reason: `no linked account can be used; ${reasons.join("; ")}` };
}

function idleReason(
  { id, username, revoked }: LinkedAccount,
  refused: ReasonOf,
): string | undefined {
  return revoked === undefined ? refused(id) : `${revoked}; fix: ${loginCommand(username)}`;
}

/**
 * Logs each account that is revoked, now or later: as an error if all accounts are revoked, else as a warning. Returns
 * the function that unsubscribes.
 */
export function alarmOnRevoked(accounts: Pick<ServedAccounts, "list" | "subscribe">, log: Log) {
  const alarm = ({ username, revoked = "" }: LinkedAccount): void => {
    const isLast = accounts.list().every((one) => one.revoked !== undefined);
    const fix = `fix: ${loginCommand(username)}`;
    const text = `@${username} is revoked: ${revoked}; ${fix}`;
    if (isLast) log.error({ account: username }, `no linked account can be used; ${text}`);
    else log.warn({ account: username }, text);
  };
  for (const account of accounts.list()) if (account.revoked !== undefined) alarm(account);
  return accounts.subscribe(({ type, account }) => {
    if (type === "revoked") alarm(account);
  });
}
