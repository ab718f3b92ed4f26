import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { open, rm, writeFile } from "node:fs/promises";
import { AnswerbackError } from "../../errors.ts";
import { isExistingFile, isMissingFile } from "../../system/files/missing-file.ts";
import { shell } from "../../text/shell.ts";
import { storesClass } from "../../system/stored-classes.ts";

/** Thrown if a key is missing, unsafe or malformed, or if stored tokens can't be decrypted with it. */
export class SealError extends AnswerbackError {
  override readonly name = "SealError";
  readonly code = "seal";
  readonly retryable = false;
}

storesClass("SealError", SealError);

export type SealKey = Buffer & { readonly __brand: "SealKey" };

/**
 * Returns the key from `hex` (64 hex digits), or if that is empty from `file`, which is created with mode 0600 if it is
 * missing.
 *
 * @throws {SealError} if the text is not a key, or if users other than the file's owner may read or change the file.
 */
export async function sealKey(file: string, hex: string | undefined): Promise<SealKey> {
  if (hex !== undefined && hex !== "") return givenKey(hex);
  try {
    return keyOf((await readPrivate(file)).trim(), file);
  } catch (error) {
    if (!isMissingFile(error)) throw error;
  }
  const text = randomBytes(32).toString("hex");
  await writeFile(file, `${text}\n`, { mode: 0o600, flag: "wx" }).catch(async (error: unknown) => {
    // After a failed write on a full disk, the file could hold half a key, which opens nothing.
    if (!isExistingFile(error)) await rm(file, { force: true });
    throw error;
  });
  return keyOf(text, file);
}

/**
 * Returns the key that several machines share, from 64 hex digits.
 *
 * @throws {SealError} if it is missing or not a key.
 */
export function givenKey(hex: string | undefined): SealKey {
  if (hex !== undefined && hex !== "") return keyOf(hex, "ANSWERBACK_KEY");
  throw new SealError(
    "a store that several machines share needs ANSWERBACK_KEY to encrypt tokens",
    {
      hint: "create a key with: openssl rand -hex 32   and set it as ANSWERBACK_KEY on each machine",
    },
  );
}

/** Whether files have POSIX modes. Windows has none: the permissions of the folder protect the key there. */
const HAS_MODES = process.platform !== "win32";

async function readPrivate(file: string): Promise<string> {
  const handle = await open(file, "r");
  try {
    const { mode } = await handle.stat();
    if (HAS_MODES && (mode & 0o077) !== 0) {
      throw new SealError(`the key ${file} can be read or changed by other users`, {
        hint: `take that away with: ${shell`chmod 600 ${file}`}   (and link the accounts again, if somebody may have read it)`,
      });
    }
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

function keyOf(hex: string, source: string): SealKey {
  if (!/^[0-9a-f]{64}$/i.test(hex)) {
    throw new SealError(`${source} holds no key`, {
      hint: "create a key of 64 hexadecimal digits with: openssl rand -hex 32",
    });
  }
  return Buffer.from(hex, "hex") as SealKey;
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts `text` with AES-256-GCM, as `v2.<nonce>.<tag>.<ciphertext>` in base64url.
 *
 * @param owner Name of the text's owner, as additional authenticated data. The text can be decrypted only with this
 * name, so it can't be moved to another owner.
 */
export function seal(text: string, key: SealKey, owner: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(owner));
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return [
    "v2",
    ...[nonce, cipher.getAuthTag(), body].map((part) => part.toString("base64url")),
  ].join(".");
}

/**
 * Whether an encrypted text has the old form, which is not bound to an owner. It can be read, but should be encrypted
 * again.
 */
export function isOldForm(sealed: string): boolean {
  return sealed.startsWith("v1.");
}

/**
 * Decrypts a text of {@link seal}.
 *
 * @throws {SealError} if the key or the owner differs, or the text was changed.
 */
export function unseal(sealed: string, key: SealKey, owner: string): string {
  const [version, ...parts] = sealed.split(".");
  const [nonce, tag, body] = parts.map((part) => Buffer.from(part, "base64url"));
  const isKnown = version === "v1" || version === "v2";
  if (!isKnown || nonce === undefined || tag === undefined || body === undefined) {
    throw new SealError("an encrypted token has an unknown format");
  }
  try {
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
    if (version === "v2") decipher.setAAD(Buffer.from(owner));
    // `setAuthTag` refuses a shorter tag, which would be easier to guess.
    decipher.setAuthTag(tag);
    return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
  } catch (error) {
    throw new SealError(`the tokens of account ${owner} can't be decrypted with this key`, {
      cause: error,
      hint: "set ANSWERBACK_KEY to the key that encrypted them, or link the account again",
    });
  }
}
