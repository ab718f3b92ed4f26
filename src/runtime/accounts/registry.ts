import { chmod, mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { Low } from "lowdb";
import { JSONFile } from "lowdb/node";
import * as z from "zod";
import { AnswerbackError } from "../../errors.ts";
import { isMissingFile } from "../../system/missing-file.ts";
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

/** The bot accounts of this installation and their tokens. */
export interface AccountRegistry {
  /** Whether there was a file when it was opened: without one nobody has ever linked an account here. In a store: always. */
  readonly isThere: boolean;
  /** Seals again what an earlier version sealed without naming the account. On disk when it resolves. */
  sealAnew(): Promise<void>;
  list(): readonly LinkedAccount[];
  /** By user id, or by handle in any case, with or without `@`. */
  find(idOrUsername: string): LinkedAccount | undefined;
  /** By user id alone. */
  get(id: string): LinkedAccount | undefined;
  /** Adds an account, or replaces the one with its id. Kept when it resolves. */
  put(account: LinkedAccount): Promise<void>;
  /**
   * Keeps the account and says why its tokens no longer work. One linked later than that stays good, also where
   * the clock was set back in between: each revocation counts once.
   */
  revoke(id: string, revocation: Revocation): Promise<void>;
  /** @returns `false` when there was no such account. */
  remove(id: string): Promise<boolean>;
  /** Calls `listener` for every change once it is kept. Returns what ends that. */
  subscribe(listener: (change: AccountChange) => void): () => void;
}

const storedAccounts = z.object({ accounts: z.array(sealedAccount) });

/** What keeps the linked accounts is damaged, or gone. */
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
 * Opens `accounts.json` in `folder`; tokens in it are sealed with AES-256-GCM.
 *
 * @param key 64 hex digits; without it the key is in `folder/key`, made on first use with mode 0600.
 * @throws {SealError} when the tokens were sealed with another key.
 * @throws {AccountsFileError} when the file is empty or holds something else.
 */
export async function openAccounts(folder: string, key?: string): Promise<AccountRegistry> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
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
  /** Writes what `apply` makes of the accounts; until it is on disk they stay as they were. */
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
    async sealAnew() {
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

/** @returns Whether there is a file. */
async function readInto(db: Low<{ accounts: SealedAccount[] }>, file: string): Promise<boolean> {
  // lowdb takes an empty file for none.
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
