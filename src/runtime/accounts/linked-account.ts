import { EventEmitter } from "eventemitter3";
import { handleOf } from "../../text/handle.ts";

/** Bot account, with the tokens for requests in its name. */
export interface LinkedAccount {
  readonly id: string;
  /** The handle, without `@`. */
  readonly username: string;
  readonly accessToken: string;
  readonly accessTokenSecret: string;
  /** Time of the linking, in milliseconds since the epoch. */
  readonly linkedAt: number;
  /**
   * Time of the first linking since the account was last unlinked, in milliseconds since the epoch. It identifies the
   * link: new tokens do not change it. Absent in accounts of earlier versions.
   */
  readonly linkedSince?: number;
  /** Reason why the account's tokens no longer work, so that it has to be linked again. Absent while they work. */
  readonly revoked?: string;
  /**
   * Time of the last revocation, in milliseconds since the epoch. A repeated delivery of the revocation has no effect.
   */
  readonly lastRevocation?: number;
}

/** Change of a linked account. `account` is its new state, or its last state if it was removed. */
export interface AccountChange {
  readonly type: "linked" | "revoked" | "removed";
  readonly account: LinkedAccount;
}

/** Revocation of an account's authorization by its owner. */
export interface Revocation {
  readonly reason: string;
  /** Time of the revocation, in milliseconds since the epoch. */
  readonly at: number;
}

/** Edit of the linked accounts, applied to the passed map. Returns the change, or undefined if nothing changed. */
export type AccountEdit = (accounts: Map<string, LinkedAccount>) => AccountChange | undefined;

/**
 * Returns the edit that adds an account, or replaces the account with the same id. If `account` has no `linkedSince`,
 * a replaced account's stays.
 */
export function putting(account: LinkedAccount): AccountEdit {
  return (accounts) => {
    const before = accounts.get(account.id);
    const lastRevocation = account.lastRevocation ?? before?.lastRevocation;
    const { linkedSince = before === undefined ? account.linkedAt : before.linkedSince } = account;
    const linked = {
      ...account,
      ...(lastRevocation !== undefined && { lastRevocation }),
      ...(linkedSince !== undefined && { linkedSince }),
    };
    accounts.set(account.id, linked);
    return { type: "linked", account: linked };
  };
}

/**
 * Returns the edit that marks an account as revoked, unless the revocation is older than the link or was applied
 * before.
 */
export function revoking(id: string, { reason, at }: Revocation): AccountEdit {
  return (accounts) => {
    const account = accounts.get(id);
    if (account === undefined || account.revoked !== undefined) return undefined;
    if (at < wholeSeconds(account.linkedAt) || at === account.lastRevocation) return undefined;
    const revoked = { ...account, revoked: reason, lastRevocation: at };
    accounts.set(id, revoked);
    return { type: "revoked", account: revoked };
  };
}

/** Returns the edit that removes an account. */
export function removing(id: string): AccountEdit {
  return (accounts) => {
    const account = accounts.get(id);
    accounts.delete(id);
    return account === undefined ? undefined : { type: "removed", account };
  };
}

/** Rounds down to seconds, the precision of the platform's revocation times. */
function wholeSeconds(ms: number): number {
  return Math.floor(ms / 1_000) * 1_000;
}

/** Finds an account by user id, or by handle in any case, with or without `@`. */
export function accountNamed(
  accounts: ReadonlyMap<string, LinkedAccount>,
  idOrUsername: string,
): LinkedAccount | undefined {
  const byId = accounts.get(idOrUsername);
  if (byId !== undefined) return byId;
  const handle = handleOf(idOrUsername).toLowerCase();
  return [...accounts.values()].find((each) => each.username.toLowerCase() === handle);
}

/** Set of functions to call after each change of an account. */
export class AccountListeners {
  readonly #changes = new EventEmitter<{ change: (change: AccountChange) => void }>();

  tell(change: AccountChange): void {
    this.#changes.emit("change", change);
  }

  readonly subscribe = (listener: (change: AccountChange) => void): (() => void) => {
    this.#changes.on("change", listener);
    return () => void this.#changes.off("change", listener);
  };
}
