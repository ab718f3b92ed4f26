import { createHmac, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { constantTimeEqual } from "../../system/constant-time-equal.ts";
import { isMissingFile } from "../../system/files/missing-file.ts";
import { refuseUnsafe, replaceFile } from "../../system/files/own-file.ts";

const storedSession = z.strictObject({
  id: z.string(),
  /** SHA-256 of the session's token. The token itself is stored only in the browser. */
  hash: z.string(),
  role: z.enum(["reader", "operator"]),
  /** Host and port of the console's address in the browser. */
  host: z.string(),
  /** Port on which the console listened. Behind a tunnel, it differs from the port in `host`. */
  port: z.number(),
  browser: z.string(),
  since: z.number(),
  until: z.number(),
});

/** A session in its stored form. */
export type StoredSession = z.infer<typeof storedSession>;

const content = z.strictObject({
  /** Secret from which `adminTag` and the proofs to browsers are computed. */
  secret: z.string().min(32),
  /** HMAC of the admin token that was set when the sessions started. */
  adminTag: z.string(),
  sessions: z.array(storedSession),
});

/** Content of `console.json`: the stored sessions and the secret, and a function that replaces the sessions. */
export interface SessionFile {
  readonly secret: string;
  readonly sessions: readonly StoredSession[];
  readonly write: (sessions: readonly StoredSession[]) => Promise<void>;
}

/**
 * Opens `console.json` of a folder, so that sessions survive a restart. Without a folder, sessions end with the
 * process.
 *
 * Stored sessions are dropped if the admin token has changed, or if the file is damaged.
 *
 * @param onUnstored Called when the file can't be written.
 */
export async function openSessionFile(
  folder: string | undefined,
  adminToken: string | undefined,
  onUnstored: (error: unknown) => void,
): Promise<SessionFile> {
  const fresh = randomBytes(32).toString("base64url");
  if (folder === undefined) return { secret: fresh, sessions: [], write: async () => {} };
  const file = join(folder, "console.json");
  const before = await contentOf(file);
  const secret = before?.secret ?? fresh;
  const adminTag = createHmac("sha256", secret)
    .update(`admin ${adminToken ?? ""}`)
    .digest("hex");
  const write = (sessions: readonly StoredSession[]): Promise<void> =>
    replaceFile(file, `${JSON.stringify({ secret, adminTag, sessions })}\n`);
  if (before !== undefined && constantTimeEqual(before.adminTag, adminTag)) {
    return { secret, sessions: before.sessions, write };
  }
  await write([]).catch(onUnstored);
  return { secret, sessions: [], write };
}

async function contentOf(file: string): Promise<z.infer<typeof content> | undefined> {
  refuseUnsafe(file);
  try {
    return content.safeParse(JSON.parse(await readFile(file, "utf8"))).data;
  } catch (error) {
    if (isMissingFile(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
