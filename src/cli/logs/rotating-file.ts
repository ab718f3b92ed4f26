import { appendFileSync, closeSync, fstatSync, ftruncateSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { LogSetting } from "../../config/settings.ts";
import { isMissingFile } from "../../system/files/missing-file.ts";
import { makeFolder } from "../../system/files/created-folder.ts";
import { openToAppend } from "../../system/files/own-file.ts";

/** Name of a log file after `age` rotations, such as `bot.log.2`; `file` itself for 0. */
export function olderFile(file: string, age: number): string {
  return age === 0 ? file : `${file}.${age}`;
}

/** A log file that is rotated before it exceeds its size limit. */
export interface RotatingFile {
  /** Appends a line synchronously, so that the last line before a crash is in the file. */
  readonly write: (line: string) => void;
}

/**
 * Opens a log file with owner-only permissions. A full file is renamed to `FILE.1`, the previous `FILE.1` to `FILE.2`,
 * and so on; the oldest is deleted. After another program, such as logrotate, has renamed, deleted or emptied the file,
 * the next line is written to a new or the emptied file.
 *
 * A line that can't be written, for instance on a full disk, is dropped: logging must not stop the bot.
 *
 * @param onLost Called with the error that caused a line to be dropped.
 * @throws {UnsafeFileError} for a link, for anything but a file, and for another user's file; the system's own error
 * when the file can't be opened.
 */
export function rotatingFile(
  file: string,
  { fileBytes, files }: LogSetting,
  onLost: (error: unknown) => void,
): RotatingFile {
  makeFolder(dirname(file));
  let opened = openToAppend(file);
  let { ino, size } = fstatSync(opened);
  const reopen = (): void => {
    const next = openToAppend(file);
    closeSync(opened);
    opened = next;
    ({ ino, size } = fstatSync(opened));
  };
  const rotate = (): void => {
    for (let age = files - 1; age > 0; age--) {
      renameIfThere(olderFile(file, age - 1), olderFile(file, age));
    }
    if (files === 1) ftruncateSync(opened);
    reopen();
  };
  return {
    write(line) {
      const bytes = Buffer.from(line);
      try {
        const named = statSync(file, { throwIfNoEntry: false });
        if (named?.ino === ino) ({ size } = named);
        else reopen();
        if (size > 0 && size + bytes.length > fileBytes) rotate();
        appendFileSync(opened, bytes);
      } catch (error) {
        onLost(error);
      }
    },
  };
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!isMissingFile(error)) throw error;
  }
}
