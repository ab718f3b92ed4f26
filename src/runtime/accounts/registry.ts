import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";
import { Low } from "lowdb";
import { JSONFile } from "lowdb/node";
import * as z from "zod";
import { AnswerbackError } from "../../errors.ts";
import { isMissingFile } from "../../system/files/missing-file.ts";
import { oneByOne } from "../loop/one-by-one.ts";
import {
  type AccountChange,
  type AccountEdit,
  AccountListeners,
  accountNamed,
  type LinkedAccount,
  putting,
  removing,
  revoking,
  type Revocation,
} from "./linked-account.ts";
import { isOldForm, sealKey } from "./seal.ts";
import { sealAccount, type SealedAccount, sealedAccount, unsealAccount } from "./sealed-account.ts";
import { makeOwnFolder } from "../../system/files/created-folder.ts";

/** Bot accounts of this installation, with their tokens. */
export interface AccountRegistry {
  /**
   * Whether `accounts.json` existed when the registry was opened. If not, no account was ever linked. Always true for
   * accounts in a store.
   */
  readonly isThere: boolean;
  /**
   * Encrypts again the tokens that an earlier version did not bind to their account. Resolves once they are on disk.
   */
  reencryptOldTokens(): Promise<void>;
  list(): readonly LinkedAccount[];
  /** Finds an account by user id, or by handle in any case, with or without `@`. */
  find(idOrUsername: string): LinkedAccount | undefined;
  /** Finds an account by user id. */
  get(id: string): LinkedAccount | undefined;
  /** Adds an account, or replaces the account with the same id. Resolves once it is stored. */
  put(account: LinkedAccount): Promise<void>;
  /**
   * Marks an account as revoked, and stores the reason. An account that was linked after the revocation stays valid.
   * Each revocation counts once, even if it is delivered again after the clock was set back.
   */
  revoke(id: string, revocation: Revocation): Promise<void>;
  /** Removes an account. @returns `false` if no account has this id. */
  remove(id: string): Promise<boolean>;
  /** Calls `listener` for every change once it is stored. Returns the function that unsubscribes. */
  subscribe(listener: (change: AccountChange) => void): () => void;
}

const storedAccounts = z.object({ accounts: z.array(sealedAccount) });

/** Thrown if the stored accounts are damaged. */
export class AccountsFileError extends AnswerbackError {
  override readonly name = "AccountsFileError";
  readonly code = "accounts-file";
  readonly retryable = false;

  constructor(message: string, options?: ErrorOptions & { readonly hint?: string }) {
    super(message, {
      hint: "bring back a backup with: answerback restore FILE   or move accounts.json away and link the accounts again: answerback login",
      ...options,
    });
  }
}

/**
 * Opens `accounts.json` in `folder`. Its tokens are encrypted with AES-256-GCM (sealed).
 *
 * @param key 64 hex digits; without it the key is read from `folder/key`, created on first use with mode 0600.
 * @throws {SealError} if the tokens were sealed with another key.
 * @throws {AccountsFileError} if the file is empty or holds anything else than accounts.
 */
export async function openAccounts(folder: string, key?: string): Promise<AccountRegistry> {
  await makeOwnFolder(folder);
  const file = join(folder, "accounts.json");
  const sealing = await sealKey(join(folder, "key"), key);
  const db = new Low(new JSONFile<{ accounts: SealedAccount[] }>(file), { accounts: [] });
  const isThere = await readInto(db, file);
  let accounts: ReadonlyMap<string, LinkedAccount> = new Map(
    db.data.accounts.map((stored) => [stored.id, unsealAccount(stored, sealing)]),
  );
  const listeners = new AccountListeners();

  const write = async (next: ReadonlyMap<string, LinkedAccount>): Promise<void> => {
    db.data.accounts = [...next.values()].map((account) => sealAccount(account, sealing));
    await db.write();
    await chmod(file, 0o600);
  };
  /** Writes the accounts as changed by `apply`; the previous state stays in use until the write is on disk. */
  const save = async (apply: AccountEdit): Promise<boolean> => {
    const next = new Map(accounts);
    const change = apply(next);
    if (change === undefined) return false;
    await write(next);
    accounts = next;
    listeners.tell(change);
    return true;
  };
  const inTurn = oneByOne();
  const change = (apply: AccountEdit): Promise<boolean> => inTurn(() => save(apply));

  return {
    isThere,
    async reencryptOldTokens() {
      if (!db.data.accounts.some(({ sealed }) => isOldForm(sealed))) return;
      await inTurn(() => write(accounts));
    },
    list: () => [...accounts.values()],
    find: (idOrUsername) => accountNamed(accounts, idOrUsername),
    get: (id) => accounts.get(id),
    put: async (account) => void (await change(putting(account))),
    revoke: async (id, revocation) => void (await change(revoking(id, revocation))),
    remove: (id) => change(removing(id)),
    subscribe: listeners.subscribe,
  };
}

/** Reads and checks the file, if it exists. @returns Whether it exists. */
async function readInto(db: Low<{ accounts: SealedAccount[] }>, file: string): Promise<boolean> {
  // lowdb treats an empty file as a missing one.
  const bytes = await sizeOf(file);
  if (bytes === 0) throw new AccountsFileError(`${file} is empty`);
  try {
    await db.read();
    db.data = storedAccounts.parse(db.data);
  } catch (cause) {
    if (!(cause instanceof SyntaxError) && !(cause instanceof z.ZodError)) throw cause;
    throw new AccountsFileError(`${file} is damaged: it does not hold the linked accounts`, {
      cause,
    });
  }
  return bytes !== undefined;
}

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}

/**
 * Copies the linked accounts of one registry to another, with tokens, links and revocations. Accounts with the same id are
 * replaced; other accounts of the target stay.
 *
 * @returns Number of copied accounts.
 */
export async function copyAccounts(
  from: Pick<AccountRegistry, "list">,
  to: Pick<AccountRegistry, "put">,
): Promise<number> {
  const accounts = from.list();
  // Without a time, a copied account would count as linked again, so that its polling would begin at the present.
  for (const account of accounts) await to.put({ linkedSince: 0, ...account });
  return accounts.length;
}
