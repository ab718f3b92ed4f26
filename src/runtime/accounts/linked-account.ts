import { EventEmitter } from "eventemitter3";

/** A bot account with the tokens that act for it. */
export interface LinkedAccount {
  readonly id: string;
  /** The handle, without `@`. */
  readonly username: string;
  readonly accessToken: string;
  readonly accessTokenSecret: string;
  /** When it was linked, in milliseconds since the epoch. */
  readonly linkedAt: number;
  /** Why its tokens no longer work, when they don't: it has to be linked again. */
  readonly revoked?: string;
  /** When the last revocation was that came for it, in milliseconds since the epoch: a copy of it says nothing new. */
  readonly lastRevocation?: number;
}

/** What became of an account. `account` is as it is now, or as it was when it was removed. */
export interface AccountChange {
  readonly type: "linked" | "revoked" | "removed";
  readonly account: LinkedAccount;
}

/** That an account's owner took its authorization away. */
export interface Revocation {
  readonly reason: string;
  /** When, in milliseconds since the epoch. */
  readonly at: number;
}

/** Changes accounts in place; undefined when there is nothing to change. */
export type AccountEdit = (accounts: Map<string, LinkedAccount>) => AccountChange | undefined;

/** Adds an account, or replaces the one with its id. */
export function putting(account: LinkedAccount): AccountEdit {
  return (accounts) => {
    const lastRevocation = account.lastRevocation ?? accounts.get(account.id)?.lastRevocation;
    const linked = { ...account, ...(lastRevocation !== undefined && { lastRevocation }) };
    accounts.set(account.id, linked);
    return { type: "linked", account: linked };
  };
}

/** Says why its tokens no longer work, once for each revocation. */
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

/** Takes an account out. */
export function removing(id: string): AccountEdit {
  return (accounts) => {
    const account = accounts.get(id);
    accounts.delete(id);
    return account === undefined ? undefined : { type: "removed", account };
  };
}

/** The platform dates a revocation by the second. */
function wholeSeconds(ms: number): number {
  return Math.floor(ms / 1_000) * 1_000;
}

/** By user id, or by handle in any case, with or without `@`. */
export function accountNamed(
  accounts: ReadonlyMap<string, LinkedAccount>,
  idOrUsername: string,
): LinkedAccount | undefined {
  const byId = accounts.get(idOrUsername);
  if (byId !== undefined) return byId;
  const handle = idOrUsername.replace(/^@/, "").toLowerCase();
  return [...accounts.values()].find((each) => each.username.toLowerCase() === handle);
}

/** Those who want to hear of changes. */
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
