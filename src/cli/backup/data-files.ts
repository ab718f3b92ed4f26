import { existsSync } from "node:fs";
import { join } from "node:path";

/** What a bot keeps in its data folder beside the store, and what it is to a person. */
const FILES: readonly (readonly [name: string, what: string])[] = [
  ["accounts.json", "the linked accounts, their tokens sealed"],
  ["sandbox.json", "how to reach the sandbox"],
  ["world.jsonl", "the sandbox's world"],
];

/** The file with which tokens are sealed. */
export const KEY = "key";

/** The files of a data folder that go into a backup. */
export function backedUp(folder: string, withKey: boolean): readonly string[] {
  const names = [...FILES.map(([name]) => name), ...(withKey ? [KEY] : [])];
  return names.filter((name) => existsSync(join(folder, name)));
}

/** The files whose place a restored backup takes, whether it has them or not. */
export const REPLACED = FILES.map(([name]) => name);

/** What the files are, each thing once. */
export function describeFiles(files: readonly string[]): readonly string[] {
  const found = FILES.filter(([name]) => files.includes(name)).map(([, what]) => what);
  return [...new Set(found), ...(files.includes(KEY) ? ["the key of the tokens"] : [])];
}
