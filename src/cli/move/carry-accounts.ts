import {
  copyAccounts,
  openAccounts,
  openStoredAccounts,
  storedHandles,
} from "../../runtime/accounts.ts";
import { openStore } from "../../runtime/stores.ts";
import type { AccountsStore } from "../../runtime/vocabulary.ts";
import { exists } from "../arguments/settings-flags.ts";

/** The linked accounts of a bot as named values, the form in which a shared store keeps them. */
export interface CarriedAccounts {
  readonly values: readonly (readonly [name: string, value: string])[];
  readonly count: number;
}

/**
 * Reads the linked accounts of a data folder, and returns them as named values for a shared store.
 *
 * @param key `ANSWERBACK_KEY`.
 * @throws {SealError} if the tokens can't be decrypted or encrypted with the key.
 */
export async function accountsOfFolder(
  folder: string,
  key: string | undefined,
): Promise<CarriedAccounts> {
  if (!(await exists(folder, "accounts.json"))) return { values: [], count: 0 };
  const storedValues = new Map<string, string>();
  const to = await openStoredAccounts(valuesIn(storedValues), key);
  const count = await copyAccounts(await openAccounts(folder, key), to);
  return { values: [...storedValues], count };
}

/**
 * Copies the linked accounts of a shared store into a data folder.
 *
 * @returns The number of accounts.
 * @throws {SealError} if the tokens can't be decrypted with the key.
 */
export async function accountsToFolder(
  url: string,
  key: string | undefined,
  folder: string,
): Promise<number> {
  const store = await openStore(url);
  try {
    if (Object.keys(await storedHandles(store)).length === 0) return 0;
    const from = await openStoredAccounts(store, key);
    return await copyAccounts(from, await openAccounts(folder, key));
  } finally {
    await store.close();
  }
}

/** Creates a store of named values in memory. */
function valuesIn(storedValues: Map<string, string>): AccountsStore {
  return {
    getMeta: async (name) => storedValues.get(name),
    metas: async (prefix) => new Map([...storedValues].filter(([name]) => name.startsWith(prefix))),
    changeMetas: async (changes) => {
      if (changes.some(({ name, was }) => storedValues.get(name) !== was)) return false;
      for (const { name, to } of changes) {
        if (to === undefined) storedValues.delete(name);
        else storedValues.set(name, to);
      }
      return true;
    },
  };
}
