import { statSync } from "node:fs";
import { isMissingFile } from "../../../../system/missing-file.ts";
import { IN_MEMORY } from "../binding.ts";
import type { StoreFault } from "../calls.ts";

/**
 * Detects that the files of an open store are no longer at their paths: the files or their folder were deleted, renamed
 * or replaced. SQLite continues to write to the opened files, so no write fails.
 *
 * @param path The database file. The file and its WAL are open.
 * @param look Returns device and inode of a file; undefined if there is no such file.
 * @returns A function that returns the fault, or undefined while both files are in place.
 */
export function linkedFiles(path: string, look = identityOf): () => StoreFault | undefined {
  if (path === IN_MEMORY) return () => undefined;
  const log = `${path}-wal`;
  const [openedFile, openedLog] = [look(path), look(log)];
  const isLost = (file: string, opened: string | undefined): boolean =>
    opened !== undefined && ![opened, UNREADABLE].includes(look(file) ?? "");
  return () => {
    // Checks the WAL first: if the folder is renamed in between, the fault is then the lost file, and not the WAL alone.
    const isLogLost = isLost(log, openedLog);
    if (isLost(path, openedFile)) return lostFile(path);
    return isLogLost ? lostLog(log) : undefined;
  };
}

/** Result for a path whose state cannot be read. */
const UNREADABLE = "unreadable";

/** Returns device and inode of a file; undefined if there is no such file. */
function identityOf(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev}:${ino}`;
  } catch (error) {
    if (isMissingFile(error) || isNoFolder(error)) return undefined;
    return UNREADABLE;
  }
}

function isNoFolder(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOTDIR";
}

function lostFile(path: string): StoreFault {
  return {
    code: "store-gone",
    message: `${path} was removed or replaced while the bot ran`,
    hint: "put the file and its -wal file back, if they were moved; else bring back a backup with: answerback restore FILE",
  };
}

/** SQLite moves the WAL's content into the database when it closes, so nothing is lost. */
function lostLog(path: string): StoreFault {
  return {
    code: "store-died",
    message: `${path} was removed or replaced while the bot ran`,
    hint: "restart the process; no acknowledged event is lost",
  };
}
