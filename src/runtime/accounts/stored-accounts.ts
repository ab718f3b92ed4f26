import * as z from "zod";
import type { MetaChange } from "../store/meta.ts";
import type { Store } from "../store/store.ts";
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
} from "./linked-account.ts";
import { type AccountRegistry, AccountsFileError } from "./registry.ts";
import { givenKey, seal, SealError, type SealKey, unseal } from "./seal.ts";
import { sealAccount, type SealedAccount, sealedAccount, unsealAccount } from "./sealed-account.ts";

/** Methods of the shared store that the accounts need. */
export type AccountsStore = Pick<Store, "getMeta" | "metas" | "changeMetas">;

/** Linked accounts in a shared store. Other machines change them, too. */
export interface StoredAccounts extends AccountRegistry {
  /** Loads changes of other machines, and notifies listeners. Costs one small read if nothing has changed. */
  look(): Promise<void>;
}

/** Prefix of the names of accounts in the store; the user id follows. */
const PREFIX = "account:";
/** Name of the store's value with the version number of the accounts, which every change increments. */
const VERSION = "accounts-version";
/** Name of an encrypted text in the store, which shows whether a key belongs to this store. */
const KEY_PROOF = "accounts-key";

/**
 * Opens the linked accounts in `store`; their tokens are encrypted as in `accounts.json`.
 *
 * The list is as of the last {@link StoredAccounts.look}, which has to be called regularly.
 *
 * @param key 64 hex digits, the same on each machine.
 * @throws {SealError} without a key, or if the tokens were encrypted with another key.
 * @throws {AccountsFileError} if a value in the store with the name of an account is not an account.
 */
export async function openStoredAccounts(
  store: AccountsStore,
  key: string | undefined,
): Promise<StoredAccounts> {
  const sealing = givenKey(key);
  await proveKey(store, sealing);
  const accounts = new SharedAccounts(store, sealing);
  await accounts.look();
  return accounts;
}

/**
 * Opens the linked accounts in `store` without their tokens, for a process with the role `receiver`, which sends
 * nothing. The tokens are empty, and linking an account throws a {@link SealError}.
 */
export async function openAccountNames(store: AccountsStore): Promise<StoredAccounts> {
  const accounts = new SharedAccounts(store, undefined);
  await accounts.look();
  return accounts;
}

/** Returns the handles of the accounts in `store` by user id, without `@`: for callers that need no tokens, and so no key. */
export async function storedHandles(
  store: Pick<Store, "metas">,
): Promise<Readonly<Record<string, string>>> {
  const accounts = [...(await store.metas(PREFIX))].map(([name, text]) => readAccount(name, text));
  return Object.fromEntries(accounts.map(({ id, username }) => [id, username]));
}

/** Returns the sealed accounts of `store`, for copying them into an empty store with the same key. */
export async function sealedAccountsOf(
  store: Pick<Store, "metas">,
): Promise<readonly MetaChange[]> {
  const values = new Map<string, string>();
  for (const prefix of [PREFIX, VERSION, KEY_PROOF]) {
    for (const [name, text] of await store.metas(prefix)) values.set(name, text);
  }
  return [...values].map(([name, to]) => ({ name, was: undefined, to }));
}

/** Accounts as last loaded from the store. */
interface Known {
  readonly version: string | undefined;
  /** Stored texts of the accounts, by their names in the store (`account:<user id>`). */
  readonly texts: ReadonlyMap<string, string>;
  readonly accounts: ReadonlyMap<string, LinkedAccount>;
}

class SharedAccounts implements StoredAccounts {
  readonly isThere = true;
  readonly #store: AccountsStore;
  /** Key of the tokens. Absent: tokens are neither read nor written. */
  readonly #key: SealKey | undefined;
  readonly #listeners = new AccountListeners();
  readonly #inTurn = oneByOne();
  #known: Known | undefined;

  constructor(store: AccountsStore, key: SealKey | undefined) {
    this.#store = store;
    this.#key = key;
  }

  readonly subscribe = this.#listeners.subscribe;

  async look(): Promise<void> {
    await this.#inTurn(() => this.#refresh(true));
  }

  /** Does nothing: the tokens in a store were never encrypted in the older form. */
  async reencryptOldTokens(): Promise<void> {}

  list(): readonly LinkedAccount[] {
    return [...(this.#known?.accounts.values() ?? [])];
  }

  find(idOrUsername: string): LinkedAccount | undefined {
    return accountNamed(this.#known?.accounts ?? new Map(), idOrUsername);
  }

  get(id: string): LinkedAccount | undefined {
    return this.#known?.accounts.get(id);
  }

  async put(account: LinkedAccount): Promise<void> {
    await this.#change(account.id, putting(account));
  }

  async revoke(...[id, revocation]: Parameters<AccountRegistry["revoke"]>): Promise<void> {
    await this.#change(id, revoking(id, revocation));
  }

  remove(id: string): Promise<boolean> {
    return this.#change(id, removing(id));
  }

  /** Changes an account with optimistic locking: if another process changed the version meanwhile, reloads and retries. */
  #change(id: string, edit: AccountEdit): Promise<boolean> {
    return this.#inTurn(async () => {
      for (;;) {
        const { version, texts, accounts } = await this.#refresh();
        const edited = new Map(accounts);
        const change = edit(edited);
        if (change === undefined) return false;
        const name = PREFIX + id;
        const to = this.#textAfter(change, texts.get(name));
        const next = String(Number(version ?? 0) + 1);
        const changes: readonly MetaChange[] = [
          { name: VERSION, was: version, to: next },
          { name, was: texts.get(name), to },
        ];
        if (!(await this.#store.changeMetas(changes))) continue;
        const newTexts = new Map(texts);
        if (to === undefined) newTexts.delete(name);
        else newTexts.set(name, to);
        this.#known = { version: next, texts: newTexts, accounts: edited };
        this.#listeners.tell(change);
        return true;
      }
    });
  }

  /** Returns the text to store after a change; undefined if the account was removed. Only a link needs the key. */
  #textAfter({ type, account }: AccountChange, before: string | undefined): string | undefined {
    if (type === "removed") return undefined;
    if (type === "revoked" && before !== undefined) {
      const { accessToken: _, accessTokenSecret: __, ...rest } = account;
      const { sealed } = readAccount(PREFIX + account.id, before);
      return JSON.stringify({ ...rest, sealed });
    }
    if (this.#key !== undefined) return JSON.stringify(sealAccount(account, this.#key));
    throw new SealError(
      "a process with role: receiver can't link accounts, because it has no key",
      { hint: "use a process with role: worker" },
    );
  }

  async #refresh(isPoll = false): Promise<Known> {
    // Reads the version before the accounts. A change between the two reads is read again later, and never missed.
    const version = await this.#store.getMeta(VERSION, isPoll);
    const before = this.#known;
    if (before !== undefined && before.version === version) return before;
    const texts = await this.#store.metas(PREFIX);
    const accounts = new Map(
      [...texts].map(([name, text]) => {
        const id = name.slice(PREFIX.length);
        const same = before?.texts.get(name) === text ? before.accounts.get(id) : undefined;
        return [id, same ?? openedAccount(readAccount(name, text), this.#key)];
      }),
    );
    this.#known = { version, texts, accounts };
    if (before === undefined) return this.#known;
    for (const change of changesBetween(before.accounts, accounts)) this.#listeners.tell(change);
    return this.#known;
  }
}

function openedAccount(account: SealedAccount, key: SealKey | undefined): LinkedAccount {
  if (key !== undefined) return unsealAccount(account, key);
  const { sealed: _, ...rest } = account;
  return { ...rest, accessToken: "", accessTokenSecret: "" };
}

/** Computes the changes between two states of the accounts. */
function changesBetween(
  before: ReadonlyMap<string, LinkedAccount>,
  after: ReadonlyMap<string, LinkedAccount>,
): readonly AccountChange[] {
  const removed = [...before.values()].filter(({ id }) => !after.has(id));
  const changed = [...after.values()].filter((account) => before.get(account.id) !== account);
  return [
    ...removed.map((account) => ({ type: "removed", account }) as const),
    ...changed.map((account) => {
      const isRevoked = account.revoked !== undefined;
      return { type: isRevoked ? "revoked" : "linked", account } as const;
    }),
  ];
}

/**
 * Checks the key by decrypting the text that was stored for this purpose ({@link KEY_PROOF}). Stores this text if it is
 * missing.
 *
 * @throws {SealError} if the text was encrypted with another key.
 */
async function proveKey(store: AccountsStore, key: SealKey): Promise<void> {
  const proof = await store.getMeta(KEY_PROOF);
  if (proof !== undefined) return checkKey(proof, key);
  const sealed = seal(KEY_PROOF, key, KEY_PROOF);
  const isFirst = await store.changeMetas([{ name: KEY_PROOF, was: undefined, to: sealed }]);
  if (!isFirst) await proveKey(store, key);
}

function checkKey(proof: string, key: SealKey): void {
  try {
    unseal(proof, key, KEY_PROOF);
  } catch (cause) {
    throw new SealError("ANSWERBACK_KEY is not the key that encrypted the tokens in the store", {
      cause,
      hint: "set ANSWERBACK_KEY to the same key as on the other machines",
    });
  }
}

/**
 * Parses a stored account.
 *
 * @throws {AccountsFileError} if the text is not an account, or the name is not the account's.
 */
function readAccount(name: string, text: string): SealedAccount {
  try {
    const account = sealedAccount.parse(JSON.parse(text));
    if (PREFIX + account.id === name) return account;
  } catch (cause) {
    if (!(cause instanceof SyntaxError) && !(cause instanceof z.ZodError)) throw cause;
  }
  throw new AccountsFileError(`the store's value ${JSON.stringify(name)} is no linked account`, {
    hint: "bring back a backup of the database, or delete that value and link the account again: answerback login",
  });
}
