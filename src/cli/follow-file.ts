import { open, stat } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";

const LOOK_EVERY_MS = 200;
const PIECE_BYTES = 64 * 1024;
const NEWLINE = 10;

/** A whole line of a file. */
interface Line {
  readonly text: string;
  /** Byte after its line end. */
  readonly end: number;
}

/** The last `most` lines that `wanted` lets through, oldest first, and where the file went on. */
export async function lastLines(
  file: string,
  most: number,
  wanted: (text: string) => boolean,
): Promise<{ readonly lines: readonly string[]; readonly end: number }> {
  const lines: string[] = [];
  let end = 0;
  for await (const line of linesFrom(file, 0)) {
    ({ end } = line);
    if (!wanted(line.text)) continue;
    lines.push(line.text);
    if (lines.length > most) lines.shift();
  }
  return { lines, end };
}

/**
 * The lines that a file gains from byte `from` on, until `signal` is aborted. A file that has become
 * shorter is a new one, read from its beginning.
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
    await wait(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** The lines of a file from a byte on; one that is still being written is left for later. */
async function* linesFrom(file: string, from: number): AsyncGenerator<Line, void, undefined> {
  if ((await sizeOf(file)) <= from) return;
  const handle = await open(file, "r");
  try {
    const piece = Buffer.alloc(PIECE_BYTES);
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
