import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { AnswerbackError } from "../../errors.ts";
import { isMissingFile } from "../../system/missing-file.ts";

/** The tokens at rest can't be read with the key at hand. */
export class SealError extends AnswerbackError {
  override readonly name = "SealError";
  readonly code = "seal";
  readonly retryable = false;
}

/** A 256-bit key for tokens at rest. */
export type SealKey = Buffer & { readonly __brand: "SealKey" };

/**
 * The key from `given` (64 hex digits), or the one in `file`, made there once with mode 0600.
 *
 * @throws {SealError} when what is there is not a key.
 */
export async function sealKey(file: string, given: string | undefined): Promise<SealKey> {
  if (given !== undefined) return keyOf(given, "ANSWERBACK_KEY");
  try {
    return keyOf((await readFile(file, "utf8")).trim(), file);
  } catch (error) {
    if (!isMissingFile(error)) throw error;
  }
  const made = randomBytes(32).toString("hex");
  await writeFile(file, `${made}\n`, { mode: 0o600, flag: "wx" }).catch(async (error: unknown) => {
    // On a full disk half a key would be left, which opens nothing.
    if (!isExistingFile(error)) await rm(file, { force: true });
    throw error;
  });
  return keyOf(made, file);
}

function isExistingFile(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}

function keyOf(hex: string, source: string): SealKey {
  if (!/^[0-9a-f]{64}$/i.test(hex)) {
    throw new SealError(`${source} holds no key`, {
      hint: "make a key of 64 hexadecimal digits with: openssl rand -hex 32",
    });
  }
  return Buffer.from(hex, "hex") as SealKey;
}

/** `text` under AES-256-GCM, as `v1.<nonce>.<tag>.<ciphertext>` in base64url. */
export function seal(text: string, key: SealKey): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return [
    "v1",
    ...[nonce, cipher.getAuthTag(), body].map((part) => part.toString("base64url")),
  ].join(".");
}

/**
 * The text that {@link seal} hid.
 *
 * @throws {SealError} when the key is another one or the text was changed.
 */
export function unseal(sealed: string, key: SealKey): string {
  const [version, nonce, tag, body] = sealed.split(".");
  if (version !== "v1" || nonce === undefined || tag === undefined || body === undefined) {
    throw new SealError("a sealed token has an unknown form");
  }
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64url"));
    decipher.setAuthTag(Buffer.from(tag, "base64url"));
    const clear = decipher.update(Buffer.from(body, "base64url"));
    return Buffer.concat([clear, decipher.final()]).toString("utf8");
  } catch (error) {
    throw new SealError("a sealed token can't be opened with this key", {
      cause: error,
      hint: "give the key it was sealed with in ANSWERBACK_KEY, or link the account again",
    });
  }
}
