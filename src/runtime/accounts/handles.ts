import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { isMissingFile } from "../../system/files/missing-file.ts";
import { AccountsFileError } from "./registry.ts";

const handles = z.object({ accounts: z.array(z.object({ id: z.string(), username: z.string() })) });

/**
 * Reads the handles of the accounts that are linked in `folder`, by user id, without `@`. Needs no encryption key,
 * because handles are not encrypted as tokens are.
 *
 * @throws {AccountsFileError} if the file does not hold accounts.
 */
export async function accountHandles(folder: string): Promise<Readonly<Record<string, string>>> {
  const file = join(folder, "accounts.json");
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (isMissingFile(error)) return '{"accounts":[]}';
    throw error;
  });
  try {
    const { accounts } = handles.parse(JSON.parse(text));
    return Object.fromEntries(accounts.map(({ id, username }) => [id, username]));
  } catch (cause) {
    throw new AccountsFileError(`${file} does not hold linked accounts`, { cause });
  }
}
