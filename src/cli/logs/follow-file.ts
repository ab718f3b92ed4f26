import { open, stat, type FileHandle } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { isMissingFile } from "../../system/files/missing-file.ts";
import { olderFile } from "./rotating-file.ts";

const POLL_MS = 200;
const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 10;

/** A complete line of a file. */
interface Line {
  readonly text: string;
  /** Offset in the file after the line's end. */
  readonly end: number;
}

/** A position after a line of a log file. The file number (inode) identifies the file after its rotation. */
export interface LogPlace {
  /** Number (inode) of the file; undefined if the file did not exist. */
  readonly fileNumber: number | undefined;
  readonly end: number;
}

/**
 * Returns the last `limit` lines that `isWanted` accepts, oldest first, including lines of rotated files, and the
 * position after the last complete line.
 */
export async function lastLines(
  file: string,
  limit: number,
  isWanted: (text: string) => boolean,
): Promise<{ readonly lines: readonly string[]; readonly place: LogPlace }> {
  const handles = await openAll(file);
  try {
    let lines: readonly string[] = [];
    let end = 0;
    for (const [age, handle] of handles.entries()) {
      const missing = limit - lines.length;
      if (age > 0 && missing === 0) break;
      const read = await lastOf(handle, missing, isWanted);
      lines = [...read.lines, ...lines];
      if (age === 0) ({ end } = read);
    }
    return { lines, place: { fileNumber: await numberOf(handles[0]), end } };
  } finally {
    await Promise.all(handles.map((handle) => handle.close()));
  }
}

/**
 * Yields the lines appended to a log after `from`, until `signal` aborts. After a rotation, the rotated file is read to
 * its end first. A file that has become shorter was replaced, and is read from its start.
 */
export async function* newLines(
  file: string,
  from: LogPlace,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  let place = from;
  while (!signal.aborted) {
    const handles = await openAll(file);
    try {
      const numbers = await Promise.all(handles.map(numberOf));
      const at = numbers.indexOf(place.fileNumber);
      // The file is gone if it was rotated and then deleted: all remaining files are newer.
      const unread = at === -1 ? handles : handles.slice(0, at + 1);
      for (const [age, handle] of [...unread.entries()].reverse()) {
        if (age !== at) place = { fileNumber: numbers[age], end: 0 };
        if ((await handle.stat()).size < place.end) place = { ...place, end: 0 };
        for await (const { text, end } of linesFrom(handle, place.end)) {
          yield text;
          place = { ...place, end };
        }
      }
    } finally {
      await Promise.all(handles.map((handle) => handle.close()));
    }
    await wait(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Maximum number of attempts to open all files without a rotation in between. */
const TRIES = 20;

/** Opens the file and the rotated ones, newest first. */
async function openAll(file: string): Promise<readonly FileHandle[]> {
  for (let tries = 1; ; tries++) {
    const handles: FileHandle[] = [];
    for (let age = 0; ; age++) {
      const handle = await openIfThere(olderFile(file, age));
      if (handle === undefined) break;
      handles.push(handle);
    }
    const newest = await fileNumber(file);
    const isBetween = newest === undefined && (await fileNumber(olderFile(file, 1))) !== undefined;
    const isWhole = newest === (await numberOf(handles[0])) && !isBetween;
    if (isWhole || tries === TRIES) return handles;
    await Promise.all(handles.map((handle) => handle.close()));
  }
}

function openIfThere(file: string): Promise<FileHandle | undefined> {
  return open(file, "r").catch((error: unknown) => {
    if (isMissingFile(error)) return undefined;
    throw error;
  });
}

function fileNumber(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ ino }) => ino,
    () => undefined,
  );
}

async function numberOf(handle: FileHandle | undefined): Promise<number | undefined> {
  return (await handle?.stat())?.ino;
}

async function lastOf(
  handle: FileHandle,
  limit: number,
  isWanted: (text: string) => boolean,
): Promise<{ readonly lines: readonly string[]; readonly end: number }> {
  const lines: string[] = [];
  let end = 0;
  for await (const line of linesFrom(handle, 0)) {
    ({ end } = line);
    if (!isWanted(line.text)) continue;
    lines.push(line.text);
    if (lines.length > limit) lines.shift();
  }
  return { lines, end };
}

/** Complete lines of a file after byte `from`. */
async function* linesFrom(handle: FileHandle, from: number): AsyncGenerator<Line, void, undefined> {
  const piece = Buffer.alloc(CHUNK_BYTES);
  let rest = Buffer.alloc(0);
  let end = from;
  for (;;) {
    const { bytesRead } = await handle.read(piece, 0, piece.length, end + rest.length);
    if (bytesRead === 0) return;
    rest = Buffer.concat([rest, piece.subarray(0, bytesRead)]);
    for (let at = rest.indexOf(NEWLINE); at >= 0; at = rest.indexOf(NEWLINE)) {
      end += at + 1;
      yield { text: rest.subarray(0, at).toString("utf8"), end };
      rest = rest.subarray(at + 1);
    }
  }
}
