import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { isPrivateFile, replaceFile } from "../../system/files/own-file.ts";

/** Generates a random token for the control interface. */
export function freshToken(): string {
  return randomBytes(24).toString("hex");
}

/**
 * Returns the control token stored in a file, so that clients keep their access after the sandbox restarts.
 *
 * A file that is damaged, or that other users of this machine could have read, gets a new token.
 */
export async function keptToken(file: string): Promise<string> {
  const storedToken = readToken(file);
  if (storedToken !== undefined) return storedToken;
  const token = freshToken();
  await replaceFile(file, `${token}\n`);
  return token;
}

function readToken(file: string): string | undefined {
  if (!isPrivateFile(file)) return undefined;
  const text = readFileSync(file, "utf8").trim();
  return /^[0-9a-f]{48}$/.test(text) ? text : undefined;
}
