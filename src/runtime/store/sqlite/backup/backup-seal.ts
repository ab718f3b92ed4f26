import { createHmac, timingSafeEqual } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { StoreError } from "../../errors.ts";
import { isMissingFile } from "../../../../system/files/missing-file.ts";
import { noBackup } from "./backup-contents.ts";
import { syncFile } from "../../../../system/files/own-file.ts";

/** Result of verifying a backup's seal (an HMAC). `other`: the backup was changed, or sealed with another key. */
export type BackupSeal = "valid" | "missing" | "other";

/** Start of a backup's last line, which holds the HMAC of all bytes before it. SQLite ignores bytes after its last page. */
const MARK = "\nanswerback-backup-hmac-sha256 ";
const MARK_BYTES = Buffer.byteLength(MARK);
const HEX_BYTES = 64;
const SEAL_BYTES = MARK_BYTES + HEX_BYTES + 1;
const READ_BYTES = 1024 * 1024;
/** Label from which the backup key is derived, so that backups and tokens don't share a key. */
const PURPOSE = "answerback backup 1";

/** Derives the key that seals backups from the key that encrypts the tokens of the accounts. */
export function backupKeyOf(key: Uint8Array): Uint8Array {
  return createHmac("sha256", key).update(PURPOSE).digest();
}

/** Appends the seal to a finished backup. @param key Result of {@link backupKeyOf}. */
export async function sealBackup(path: string, key: Uint8Array): Promise<void> {
  const hmac = createHmac("sha256", key);
  for await (const part of createReadStream(path, { highWaterMark: READ_BYTES })) hmac.update(part);
  const file = await open(path, "a");
  try {
    await file.writeFile(`${MARK}${hmac.digest("hex")}\n`);
    await syncFile(file);
  } finally {
    await file.close();
  }
}

/**
 * Copies a backup without its seal and verifies the copied bytes against the seal.
 *
 * @param key Result of {@link backupKeyOf}; undefined if this bot has no key.
 * @param to An empty file.
 * @throws {StoreError} `store-corrupt` if the file is missing or not a regular file.
 */
export async function copyUnsealed(
  backup: string,
  key: Uint8Array | undefined,
  to: FileHandle,
): Promise<BackupSeal> {
  const file = await openBackup(backup);
  try {
    const { size } = await file.stat();
    const end = Buffer.alloc(Math.min(SEAL_BYTES, size));
    await file.read(end, 0, end.length, size - end.length);
    const seal = /^\nanswerback-backup-hmac-sha256 ([0-9a-f]{64})\n$/.exec(
      end.toString("latin1"),
    )?.[1];
    const bytes = seal === undefined ? size : size - SEAL_BYTES;
    const hmac = createHmac("sha256", key ?? "");
    const buffer = Buffer.alloc(READ_BYTES);
    for (let at = 0; at < bytes;) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(READ_BYTES, bytes - at), at);
      if (bytesRead === 0) throw noBackup(backup, "changed while it was read");
      const part = buffer.subarray(0, bytesRead);
      hmac.update(part);
      await to.writeFile(part);
      at += bytesRead;
    }
    if (seal === undefined) return "missing";
    const isValid = key !== undefined && timingSafeEqual(hmac.digest(), Buffer.from(seal, "hex"));
    return isValid ? "valid" : "other";
  } finally {
    await file.close();
  }
}

/**
 * Refuses a backup without a valid seal of this bot.
 *
 * @throws {StoreError} `store-corrupt` with the reason and a remedy.
 */
export function refuseUnsealed(path: string, seal: BackupSeal): void {
  if (seal === "valid") return;
  throw new StoreError("store-corrupt", `${path} ${WHY[seal]}`, {
    hint: HELP[seal],
  });
}

const WHY = {
  missing: "has no seal: an earlier version wrote it, or another program",
  other: "was sealed with another key than this bot's, or was changed since",
} as const;

const HELP = {
  missing:
    "take a new backup where the bot runs, or add --foreign if you trust where this one comes from",
  other:
    "set ANSWERBACK_KEY or put the file key of that bot into the data folder, or add --foreign if you trust where the backup comes from",
} as const;

/** Opens a regular file. Does not block on a pipe. */
async function openBackup(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(
    (error: unknown) => {
      throw isMissingFile(error) ? noBackup(path, "is no file") : error;
    },
  );
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw noBackup(path, "is no file");
}
