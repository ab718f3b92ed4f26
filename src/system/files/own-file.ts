import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import {
  type FileHandle,
  link,
  mkdir,
  mkdtemp,
  open,
  realpath,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { promisify } from "node:util";
import { makeFolder } from "./created-folder.ts";
import { isExistingFile } from "./missing-file.ts";
import { errorCode } from "../error-code.ts";

/** The file is not written because its name belongs to a link, a non-regular file or another user's file. */
export class UnsafeFileError extends Error {
  override readonly name = "UnsafeFileError";
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

const OWNER_ONLY = 0o600;
/** Permission bits of the group and of all other users. */
const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;

/**
 * Replaces a file atomically: readers get the old content or the new content.
 *
 * The content is synced to disk in a new file with a random name, which is then renamed.
 *
 * @param mode Permission bits of the new file; default owner only.
 * @throws {UnsafeFileError} for a link, a non-regular file, and another user's file.
 */
export function replaceFile(
  file: string,
  content: string | Uint8Array,
  mode = OWNER_ONLY,
): Promise<void> {
  return replaceFileBy(file, (handle) => handle.writeFile(content), mode);
}

/** Like {@link replaceFile}, with content that `write` puts into the handle. */
export function replaceFileBy(
  file: string,
  write: (handle: FileHandle) => Promise<void>,
  mode = OWNER_ONLY,
): Promise<void> {
  return inTurn(resolve(file), async () => {
    const owner = ownerBefore(file, mode);
    const next = nameBeside(file);
    // Flag `x`: fails if a file or link of this name exists, instead of opening it.
    const handle = await open(next, "wx", mode);
    try {
      try {
        await handle.chmod(mode);
        if (owner !== undefined) await handle.chown(owner.uid, owner.gid);
        await write(handle);
        await syncFile(handle);
      } finally {
        await handle.close();
      }
      await rename(next, file);
    } catch (error) {
      await rm(next, { force: true });
      throw error;
    }
  });
}

/** Waits until a file is on disk. Yarn Plug'n'Play replaces `FileHandle`; its method `sync` is not implemented. */
export const syncFile = ({ fd }: FileHandle): Promise<void> => promisify(fsync)(fd);

/** Replaces a file synchronously, for use at process exit. @throws {UnsafeFileError} as {@link replaceFile} does. */
export function replaceFileSync(file: string, content: string, mode = OWNER_ONLY): void {
  const owner = ownerBefore(file, mode);
  const next = nameBeside(file);
  const descriptor = openSync(next, "wx", mode);
  try {
    try {
      fchmodSync(descriptor, mode);
      if (owner !== undefined) fchownSync(descriptor, owner.uid, owner.gid);
      writeFileSync(descriptor, content);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(next, file);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}

/**
 * Creates a file that takes several writes, such as SQLite, in a private folder beside its final place.
 *
 * @param fill Fills the empty file at the path. When it resolves, the file gets its final name.
 * @throws Node's `EEXIST` error if `file` exists at that time; `file` is left unchanged.
 */
export async function createFile<T>(file: string, fill: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(dirname(file), PREFIX));
  const path = join(folder, basename(file));
  try {
    await (await open(path, "wx", OWNER_ONLY)).close();
    const result = await fill(path);
    await giveName(path, file);
    return result;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Opens a file for appending, with owner-only permissions if it is new. Other readers see each written line at once.
 *
 * @returns The descriptor.
 * @throws {UnsafeFileError} like {@link replaceFile}, and for a file with a second hard link.
 */
export function openToAppend(file: string): number {
  const there = lstatSync(file, { throwIfNoEntry: false });
  if (there !== undefined) refuseOther(file, there);
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  // Windows lacks O_NOFOLLOW and O_NONBLOCK.
  const flags = O_WRONLY | O_APPEND | O_CREAT | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);
  const descriptor = openSync(file, flags, OWNER_ONLY);
  try {
    const opened = fstatSync(descriptor);
    refuseOther(file, opened);
    refuseForeign(file, opened);
    if (opened.nlink > 1) {
      throw new UnsafeFileError(
        `${file} has a second name: what is written to it would be under both`,
        "move it away, or put a copy in its place",
      );
    }
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/**
 * Creates `top` and a folder below it. No link may lead out of `top`.
 *
 * @throws {UnsafeFileError} if a folder on the way is a link to another place.
 */
export async function makeFolderWithin(top: string, folder: string): Promise<void> {
  makeFolder(top);
  const way = relative(top, folder).split(sep);
  let path = top;
  let real = await realpath(top);
  for (const name of way.filter((part) => part !== "")) {
    path = join(path, name);
    await mkdir(path).catch((error: unknown) => {
      if (!isExistingFile(error)) throw error;
    });
    real = join(real, name);
    if ((await realpath(path)) === real) continue;
    throw new UnsafeFileError(
      `${path} is a link to another place, and nothing is written through one`,
      "remove the link, and make a folder in its place",
    );
  }
}

/**
 * Creates a new file that a user asked for, with the usual permissions instead of owner-only ones.
 *
 * @param top Folder above the file; see {@link makeFolderWithin}.
 * @throws Node's `EEXIST` error if the name exists.
 */
export async function writeNewFile(top: string, file: string, text: string): Promise<void> {
  await makeFolderWithin(top, dirname(file));
  await writeFile(file, text, { flag: "wx" });
}

/** Whether a file is regular, belongs to this user, and is inaccessible to other users. */
export function isPrivateFile(file: string): boolean {
  const there = lstatSync(file, { throwIfNoEntry: false });
  if (there === undefined || !there.isFile()) return false;
  return isOwn(file, there) && (!HAS_MODES || (there.mode & OTHERS) === 0);
}

/**
 * Checks a file name before the file is opened for writing.
 *
 * @param mode Permission bits of the file. Other users may own a file that they may read anyway.
 * @throws {UnsafeFileError} for a link, a non-regular file, and another user's file.
 */
export function refuseUnsafe(file: string, mode = OWNER_ONLY): void {
  const there = lstatSync(file, { throwIfNoEntry: false });
  if (there === undefined) return;
  refuseOther(file, there);
  if ((mode & OTHERS) === 0) refuseForeign(file, there);
}

const PREFIX = ".answerback-";
/** Windows has neither numeric users nor permission bits. */
const HAS_MODES = process.platform !== "win32";

function nameBeside(file: string): string {
  return join(dirname(file), `${PREFIX}${randomBytes(12).toString("hex")}`);
}

/** Owner that the new file must get; `undefined` if this process's user becomes the owner anyway. */
function ownerBefore(file: string, mode: number): Stats | undefined {
  const there = lstatSync(file, { throwIfNoEntry: false });
  if (there === undefined) return undefined;
  refuseOther(file, there);
  const isSecret = (mode & OTHERS) === 0;
  if (isSecret) refuseForeign(file, there);
  return isInOwnFolder(file, there) ? there : undefined;
}

function refuseOther(file: string, there: Stats): void {
  if (there.isFile()) return;
  if (there.isSymbolicLink()) {
    throw new UnsafeFileError(
      `${file} is a link, and nothing is written through one`,
      "name the file that it leads to, or remove the link",
    );
  }
  throw new UnsafeFileError(`${file} is no regular file`, "name a file");
}

function refuseForeign(file: string, there: Stats): void {
  if (isOwn(file, there)) return;
  throw new UnsafeFileError(
    `${file} belongs to another user, who could read what is written to it`,
    "move it away, or run this command as its owner",
  );
}

function isOwn(file: string, there: Stats): boolean {
  if (!HAS_MODES || there.uid === process.geteuid?.()) return true;
  return isInOwnFolder(file, there);
}

/** Whether this process is root, and only the file's owner can create files in the file's folder. */
function isInOwnFolder(file: string, { uid }: Stats): boolean {
  if (!HAS_MODES || process.geteuid?.() !== 0 || uid === 0) return false;
  const folder = statSync(dirname(file));
  return folder.uid === uid && (folder.mode & OTHERS_WRITE) === 0;
}

/** Renames without overwriting: a hard link fails if the name exists. */
async function giveName(path: string, file: string): Promise<void> {
  try {
    await link(path, file);
  } catch (error) {
    if (!WITHOUT_LINKS.has(errorCode(error) ?? "")) throw error;
    await (await open(file, "wx", OWNER_ONLY)).close();
    await rename(path, file);
  }
}

/** Error codes of file systems without hard links, such as FAT. */
const WITHOUT_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

const turns = new Map<string, Promise<void>>();

/** Runs the replacements of one file after each other, in the order of the calls. */
async function inTurn(path: string, work: () => Promise<void>): Promise<void> {
  const before = turns.get(path);
  const turn = before === undefined ? work() : before.then(work, work);
  turns.set(path, turn);
  try {
    await turn;
  } finally {
    if (turns.get(path) === turn) turns.delete(path);
  }
}
