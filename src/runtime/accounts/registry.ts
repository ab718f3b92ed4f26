import { chmod, mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { EventEmitter } from "eventemitter3";
import { Low } from "lowdb";
import { JSONFile } from "lowdb/node";
import * as z from "zod";
import { AnswerbackError } from "../../errors.ts";
import { isMissingFile } from "../../system/missing-file.ts";
import { isOldForm, seal, sealKey, unseal, type SealKey } from "./seal.ts";

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

/** The bot accounts of this installation and their tokens. */
export interface AccountRegistry {
  /** Whether there was a file when it was opened: without one nobody has ever linked an account here. */
  readonly isThere: boolean;
  /** Seals again what an earlier version sealed without naming the account. On disk when it resolves. */
  sealAnew(): Promise<void>;
  list(): readonly LinkedAccount[];
  /** By user id, or by handle in any case, with or without `@`. */
  find(idOrUsername: string): LinkedAccount | undefined;
  /** Adds an account, or replaces the one with its id. On disk when it resolves. */
  put(account: LinkedAccount): Promise<void>;
  /**
   * Keeps the account and says why its tokens no longer work. One linked later than that stays good, also where
   * the clock was set back in between: each revocation counts once.
   */
  revoke(id: string, revocation: Revocation): Promise<void>;
  /** @returns `false` when there was no such account. */
  remove(id: string): Promise<boolean>;
  /** Calls `listener` for every change once it is on disk. Returns what ends that. */
  subscribe(listener: (change: AccountChange) => void): () => void;
}

/** That an account's owner took its authorization away. */
export interface Revocation {
  readonly reason: string;
  /** When, in milliseconds since the epoch. */
  readonly at: number;
}

const storedAccounts = z.object({
  accounts: z.array(
    z.object({
      id: z.string(),
      username: z.string(),
      sealed: z.string(),
      linkedAt: z.number(),
      revoked: z.string().exactOptional(),
      lastRevocation: z.number().exactOptional(),
    }),
  ),
});

type StoredAccount = z.infer<typeof storedAccounts>["accounts"][number];

/** The file of the linked accounts is damaged, or gone. */
export class AccountsFileError extends AnswerbackError {
  override readonly name = "AccountsFileError";
  readonly code = "accounts-file";
  readonly retryable = false;

  constructor(message: string, options?: ErrorOptions) {
    super(message, {
      ...options,
      hint: "bring back a backup with: answerback restore FILE   or move accounts.json away and link the accounts again: answerback login",
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
  const db = new Low(new JSONFile<{ accounts: StoredAccount[] }>(file), { accounts: [] });
  const isThere = await readInto(db, file);
  let accounts: ReadonlyMap<string, LinkedAccount> = new Map(
    db.data.accounts.map((stored) => [stored.id, opened(stored, sealing)]),
  );
  const changes = new EventEmitter<{ change: (change: AccountChange) => void }>();

  const write = async (next: ReadonlyMap<string, LinkedAccount>): Promise<void> => {
    db.data.accounts = [...next.values()].map((account) => stored(account, sealing));
    await db.write();
    await chmod(file, 0o600);
  };
  /** Writes what `apply` makes of the accounts; until it is on disk they stay as they were. */
  const save = async (apply: Apply): Promise<boolean> => {
    const next = new Map(accounts);
    const change = apply(next);
    if (change === undefined) return false;
    await write(next);
    accounts = next;
    changes.emit("change", change);
    return true;
  };
  let saving: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = saving.then(work);
    saving = done.catch(() => {});
    return done;
  };
  const change = (apply: Apply): Promise<boolean> => inTurn(() => save(apply));

  return {
    isThere,
    async sealAnew() {
      if (!db.data.accounts.some(({ sealed }) => isOldForm(sealed))) return;
      await inTurn(() => write(accounts));
    },
    list: () => [...accounts.values()],
    find(idOrUsername) {
      const handle = idOrUsername.replace(/^@/, "").toLowerCase();
      const byName = [...accounts.values()].find((each) => each.username.toLowerCase() === handle);
      return accounts.get(idOrUsername) ?? byName;
    },
    put: async (account) => void (await change(putting(account))),
    revoke: async (id, revocation) => void (await change(revoking(id, revocation))),
    remove: (id) => change(removing(id)),
    subscribe(listener) {
      changes.on("change", listener);
      return () => void changes.off("change", listener);
    },
  };
}

/** @returns Whether there is a file. */
async function readInto(db: Low<{ accounts: StoredAccount[] }>, file: string): Promise<boolean> {
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

/** Changes accounts in place; undefined when there is nothing to change. */
type Apply = (accounts: Map<string, LinkedAccount>) => AccountChange | undefined;

function putting(account: LinkedAccount): Apply {
  return (accounts) => {
    const lastRevocation = account.lastRevocation ?? accounts.get(account.id)?.lastRevocation;
    const linked = { ...account, ...(lastRevocation !== undefined && { lastRevocation }) };
    accounts.set(account.id, linked);
    return { type: "linked", account: linked };
  };
}

function revoking(id: string, { reason, at }: Revocation): Apply {
  return (accounts) => {
    const account = accounts.get(id);
    if (account === undefined || account.revoked !== undefined) return undefined;
    if (at < wholeSeconds(account.linkedAt) || at === account.lastRevocation) return undefined;
    const revoked = { ...account, revoked: reason, lastRevocation: at };
    accounts.set(id, revoked);
    return { type: "revoked", account: revoked };
  };
}

function removing(id: string): Apply {
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

function stored(account: LinkedAccount, key: SealKey): StoredAccount {
  const { accessToken, accessTokenSecret, ...rest } = account;
  const tokens = JSON.stringify([accessToken, accessTokenSecret]);
  return { ...rest, sealed: seal(tokens, key, account.id) };
}

function opened({ sealed, ...rest }: StoredAccount, key: SealKey): LinkedAccount {
  const tokens: unknown = JSON.parse(unseal(sealed, key, rest.id));
  const [accessToken, accessTokenSecret] = Array.isArray(tokens) ? tokens.map(String) : [];
  return { ...rest, accessToken: accessToken ?? "", accessTokenSecret: accessTokenSecret ?? "" };
}
