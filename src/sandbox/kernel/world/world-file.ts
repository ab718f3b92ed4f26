import { createReadStream } from "node:fs";
import type { Adapter } from "lowdb";
import { isMissingFile } from "../../../system/files/missing-file.ts";
import { refuseUnsafe, replaceFileBy } from "../../../system/files/own-file.ts";

/** A stored world: the header, then rows, each with the name of its table. */
export interface StoredWorld {
  readonly header: unknown;
  readonly rows: Iterable<StoredRow> | AsyncIterable<StoredRow>;
}

export type StoredRow = readonly [table: string, row: unknown];

const ROWS_PER_WRITE = 1_000;
const READ_BYTES = 1024 * 1024;

/**
 * A lowdb adapter that stores a world as lines: the header first, then one `["table", row]` per line.
 *
 * Lines are read and written one by one, since a large world exceeds the maximum length of a string. If the process is
 * killed during a write, the old file stays.
 */
export class WorldFileAdapter implements Adapter<StoredWorld | null> {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Reads the header; rows are read as they are consumed, and throw {Error} naming file and line. */
  async read(): Promise<StoredWorld | null> {
    refuseUnsafe(this.#file);
    const lines = this.#lines();
    const first = await lines.next().catch((error: unknown) => {
      if (isMissingFile(error)) return undefined;
      throw error;
    });
    if (first?.value === undefined) return null;
    return { header: this.#parse(first.value, 1), rows: this.#rows(lines) };
  }

  async write(world: StoredWorld | null): Promise<void> {
    if (world === null) return;
    await replaceFileBy(this.#file, async (handle) => {
      let lines = [`${JSON.stringify(world.header)}\n`];
      for await (const row of world.rows) {
        lines.push(`${JSON.stringify(row)}\n`);
        if (lines.length < ROWS_PER_WRITE) continue;
        await handle.write(lines.join(""));
        lines = [];
      }
      await handle.write(lines.join(""));
    });
  }

  async *#rows(lines: AsyncIterable<string>): AsyncGenerator<StoredRow> {
    let number = 1;
    for await (const line of lines) {
      number += 1;
      if (line === "") continue;
      const pair = this.#parse(line, number);
      if (!Array.isArray(pair) || typeof pair[0] !== "string") throw this.#broken(number);
      const [table, row]: [string, unknown] = [pair[0], pair[1]];
      yield [table, row];
    }
  }

  async *#lines(): AsyncGenerator<string> {
    let rest = "";
    const text = createReadStream(this.#file, { encoding: "utf8", highWaterMark: READ_BYTES });
    for await (const part of text) {
      const lines = `${rest}${String(part)}`.split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
    if (rest !== "") yield rest;
  }

  #parse(line: string, number: number): unknown {
    try {
      return JSON.parse(line);
    } catch {
      throw this.#broken(number);
    }
  }

  #broken(line: number): Error {
    return new Error(
      `${this.#file}:${line} is not a line of a saved sandbox world; move the file away to start afresh`,
    );
  }
}
