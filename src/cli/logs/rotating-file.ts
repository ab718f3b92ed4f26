import { closeSync, fstatSync, ftruncateSync, mkdirSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { LogSetting } from "../../config/settings.ts";
import { isMissingFile } from "../../system/missing-file.ts";
import { openToAppend } from "../../system/own-file.ts";

/** The file that `file` was when it had been put aside `age` times; `file` itself for 0. */
export function olderFile(file: string, age: number): string {
  return age === 0 ? file : `${file}.${age}`;
}

/** A log file that is put aside before it grows beyond its bound. */
export interface RotatingFile {
  /** Appends a line. It is in the file when this returns, so the last line before a crash is there, too. */
  readonly write: (line: string) => void;
}

/**
 * Opens a log file, which only its owner may read. Once it is full it becomes `FILE.1`, what was there `FILE.2`, and
 * the oldest is dropped.
 *
 * A line that can't be written, on a full disk for instance, is dropped: logging ends nothing else.
 *
 * @param onLost Called with why a line was dropped.
 * @throws {UnsafeFileError} for a link, for anything but a file, and for another user's file; the system's own error
 *   when the file can't be opened.
 */
export function rotatingFile(
  file: string,
  { fileBytes, files }: LogSetting,
  onLost: (error: unknown) => void,
): RotatingFile {
  mkdirSync(dirname(file), { recursive: true });
  let opened = openToAppend(file);
  let { size } = fstatSync(opened);
  const rotate = (): void => {
    for (let age = files - 1; age > 0; age--) {
      renameIfThere(olderFile(file, age - 1), olderFile(file, age));
    }
    const next = openToAppend(file);
    if (files === 1) ftruncateSync(next);
    closeSync(opened);
    opened = next;
    ({ size } = fstatSync(opened));
  };
  return {
    write(line) {
      const bytes = Buffer.from(line);
      try {
        if (size > 0 && size + bytes.length > fileBytes) rotate();
        size += bytes.length;
        writeSync(opened, bytes);
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
