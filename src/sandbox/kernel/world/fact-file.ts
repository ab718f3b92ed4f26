import { closeSync, ftruncateSync, writeSync } from "node:fs";
import { open } from "node:fs/promises";
import { openToAppend, refuseUnsafe } from "../../../system/files/own-file.ts";

const READ_BYTES = 1024 * 1024;
const LINE_END = 0x0a;

/** A line of a fact file, with the byte offset of its end. */
export interface FactLine {
  readonly number: number;
  readonly value: unknown;
  readonly end: number;
}

/**
 * An append-only file of recorded changes (facts). Lines are written immediately but not synced: they survive a kill of
 * the process, but not a power failure.
 */
export class FactFile {
  readonly #descriptor: number;
  #bytes: number;

  /** Opens the file and truncates it to `bytes`. */
  constructor(file: string, bytes: number) {
    this.#descriptor = openToAppend(file);
    ftruncateSync(this.#descriptor, bytes);
    this.#bytes = bytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Appends lines.
   *
   * @throws {Error} if the disk does not accept all of the lines; the file then contains none of them.
   */
  append(lines: string): void {
    const bytes = Buffer.from(lines);
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(this.#descriptor, bytes, at);
    } catch (error) {
      ftruncateSync(this.#descriptor, this.#bytes);
      throw error;
    }
    this.#bytes += bytes.length;
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/**
 * Reads a fact file. Skips a last line that is incomplete because the process was killed.
 *
 * @throws {Error} naming the damaged line if complete lines follow it.
 */
export async function* readFacts(file: string): AsyncGenerator<FactLine> {
  let damaged: number | undefined;
  for await (const { number, text, end } of linesOf(file)) {
    const value = parse(text);
    if (value === undefined) damaged ??= number;
    else if (damaged === undefined) yield { number, value, end };
    else {
      throw new Error(
        `${file}:${damaged} is damaged and whole lines follow it: what they say can't be told apart from what ` +
          `is missing; move the file and the world beside it away to start afresh`,
      );
    }
  }
}

async function* linesOf(
  file: string,
): AsyncGenerator<{ number: number; text: string; end: number }> {
  refuseUnsafe(file);
  const handle = await open(file, "r");
  try {
    let rest: Buffer = Buffer.alloc(0);
    let number = 0;
    let end = 0;
    for await (const part of handle.createReadStream({
      highWaterMark: READ_BYTES,
      autoClose: false,
    })) {
      if (!Buffer.isBuffer(part)) continue;
      const bytes = rest.length === 0 ? part : Buffer.concat([rest, part]);
      let from = 0;
      for (let to = bytes.indexOf(LINE_END); to !== -1; to = bytes.indexOf(LINE_END, from)) {
        number += 1;
        end += to + 1 - from;
        yield { number, text: bytes.toString("utf8", from, to), end };
        from = to + 1;
      }
      rest = bytes.subarray(from);
    }
  } finally {
    await handle.close();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
