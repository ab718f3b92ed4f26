import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Low } from "lowdb";
import { JSONFile } from "lowdb/node";
import { seal, sealKey, unseal, type SealKey } from "./seal.ts";

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
}

/** The bot accounts of this installation and their tokens. */
export interface AccountRegistry {
  list(): readonly LinkedAccount[];
  /** By user id, or by handle in any case, with or without `@`. */
  find(idOrUsername: string): LinkedAccount | undefined;
  /** Adds an account, or replaces the one with its id. On disk when it resolves. */
  put(account: LinkedAccount): Promise<void>;
  /** Keeps the account and says why its tokens no longer work. */
  revoke(id: string, reason: string): Promise<void>;
  /** @returns `false` when there was no such account. */
  remove(id: string): Promise<boolean>;
}

interface StoredAccount {
  readonly id: string;
  readonly username: string;
  readonly sealed: string;
  readonly linkedAt: number;
  readonly revoked?: string;
}

/**
 * Opens `accounts.json` in `folder`; tokens in it are sealed with AES-256-GCM.
 *
 * @param key 64 hex digits; without it the key is in `folder/key`, made on first use with mode 0600.
 * @throws {SealError} when the tokens were sealed with another key.
 */
export async function openAccounts(folder: string, key?: string): Promise<AccountRegistry> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, "accounts.json");
  const sealing = await sealKey(join(folder, "key"), key);
  const db = new Low(new JSONFile<{ accounts: StoredAccount[] }>(file), { accounts: [] });
  await db.read();
  const accounts = new Map(db.data.accounts.map((stored) => [stored.id, opened(stored, sealing)]));

  const save = async (): Promise<void> => {
    db.data.accounts = [...accounts.values()].map((account) => stored(account, sealing));
    await db.write();
    await chmod(file, 0o600);
  };

  return {
    list: () => [...accounts.values()],
    find(idOrUsername) {
      const handle = idOrUsername.replace(/^@/, "").toLowerCase();
      const byName = [...accounts.values()].find((each) => each.username.toLowerCase() === handle);
      return accounts.get(idOrUsername) ?? byName;
    },
    async put(account) {
      accounts.set(account.id, account);
      await save();
    },
    async revoke(id, reason) {
      const account = accounts.get(id);
      if (account === undefined) return;
      accounts.set(id, { ...account, revoked: reason });
      await save();
    },
    async remove(id) {
      const had = accounts.delete(id);
      if (had) await save();
      return had;
    },
  };
}

function stored(account: LinkedAccount, key: SealKey): StoredAccount {
  const { accessToken, accessTokenSecret, ...rest } = account;
  return { ...rest, sealed: seal(JSON.stringify([accessToken, accessTokenSecret]), key) };
}

function opened({ sealed, ...rest }: StoredAccount, key: SealKey): LinkedAccount {
  const tokens: unknown = JSON.parse(unseal(sealed, key));
  const [accessToken, accessTokenSecret] = Array.isArray(tokens) ? tokens.map(String) : [];
  return { ...rest, accessToken: accessToken ?? "", accessTokenSecret: accessTokenSecret ?? "" };
}
