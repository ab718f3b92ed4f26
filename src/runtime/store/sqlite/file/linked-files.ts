import { statSync } from "node:fs";
import { isMissingFile } from "../../../../system/files/missing-file.ts";
import { IN_MEMORY } from "../binding.ts";
import type { StoreFault } from "../calls.ts";
import { errorCode } from "../../../../system/error-code.ts";

/**
 * Detects that the files of an open store are no longer at their paths: the files or their folder were deleted, renamed
 * or replaced. Without this check the loss would stay unnoticed, because SQLite writes on to the opened files.
 *
 * @param path Path of the database file, which must be open, as well as its WAL.
 * @param look Returns device and inode of a file; undefined if there is no such file.
 * @returns A function that returns the fault, or undefined as long as both files are in place.
 */
export function linkedFiles(path: string, look = identityOf): () => StoreFault | undefined {
  if (path === IN_MEMORY) return () => undefined;
  const log = `${path}-wal`;
  const [openedFile, openedLog] = [look(path), look(log)];
  const isLost = (file: string, opened: string | undefined): boolean =>
    opened !== undefined && ![opened, UNREADABLE].includes(look(file) ?? "");
  return () => {
    // The WAL is checked first: if the folder is renamed between both checks, the fault is the lost file, not the WAL.
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
    if (isMissingFile(error) || errorCode(error) === "ENOTDIR") return undefined;
    return UNREADABLE;
  }
}

function lostFile(path: string): StoreFault {
  return {
    code: "store-gone",
    message: `${path} was removed or replaced while the bot ran`,
    hint: "put the file and its -wal file back, if they were moved; else bring back a backup with: answerback restore FILE",
  };
}

/** Fault of a deleted WAL. No data is lost: SQLite still has the WAL open, and moves it into the database on close. */
function lostLog(path: string): StoreFault {
  return {
    code: "store-died",
    message: `${path} was removed or replaced while the bot ran`,
    hint: "restart the process; no acknowledged event is lost",
  };
}
