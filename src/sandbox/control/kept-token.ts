import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { isPrivateFile, replaceFile } from "../../system/own-file.ts";

/** A token of the control interface that nobody can guess. */
export function freshToken(): string {
  return randomBytes(24).toString("hex");
}

/**
 * The control token kept in a file, so that whoever follows the sandbox goes on after its restart.
 *
 * A new one takes the place of one that is damaged, or that others on this machine could have read.
 */
export async function keptToken(file: string): Promise<string> {
  const kept = readToken(file);
  if (kept !== undefined) return kept;
  const token = freshToken();
  await replaceFile(file, `${token}\n`);
  return token;
}

function readToken(file: string): string | undefined {
  if (!isPrivateFile(file)) return undefined;
  const text = readFileSync(file, "utf8").trim();
  return /^[0-9a-f]{48}$/.test(text) ? text : undefined;
}
