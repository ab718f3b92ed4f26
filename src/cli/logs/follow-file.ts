import { open, stat } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";

const POLL_MS = 200;
const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 10;

/** A complete line of a file. */
interface Line {
  readonly text: string;
  /** Byte after its line end. */
  readonly end: number;
}

/** The last `most` lines that `wanted` accepts, oldest first, and the position after the last complete line. */
export async function lastLines(
  file: string,
  limit: number,
  isWanted: (text: string) => boolean,
): Promise<{ readonly lines: readonly string[]; readonly end: number }> {
  const lines: string[] = [];
  let end = 0;
  for await (const line of linesFrom(file, 0)) {
    ({ end } = line);
    if (!isWanted(line.text)) continue;
    lines.push(line.text);
    if (lines.length > limit) lines.shift();
  }
  return { lines, end };
}

/**
 * The lines appended to a file after byte `from`, until `signal` is aborted. A file that has become
 * shorter was replaced and is read from its start.
 */
export async function* newLines(
  file: string,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  let at = from;
  while (!signal.aborted) {
    if ((await sizeOf(file)) < at) at = 0;
    for await (const line of linesFrom(file, at)) {
      yield line.text;
      at = line.end;
    }
    await wait(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** The complete lines of a file after byte `from`. */
async function* linesFrom(file: string, from: number): AsyncGenerator<Line, void, undefined> {
  if ((await sizeOf(file)) <= from) return;
  const handle = await open(file, "r");
  try {
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
  } finally {
    await handle.close();
  }
}

function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}
