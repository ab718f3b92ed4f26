import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { open, rename, readFile } from "node:fs/promises";
import type { Adapter } from "lowdb";
import type { SavedWorld } from "./world.ts";

/**
 * A lowdb adapter that keeps a world as lines: the header first, then `["table", row]` each.
 *
 * Lines go to a file beside, which then takes the place of the old one: a kill leaves one or the other.
 */
export class WorldLines implements Adapter<SavedWorld | null> {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** @throws {Error} naming file and line, where the file is not a saved world. */
  async read(): Promise<SavedWorld | null> {
    const text = await readFile(this.#file, "utf8").catch(absent);
    if (text === undefined) return null;
    const [first = "", ...lines] = text.split("\n").filter((line) => line !== "");
    const head: SavedWorld = { ...this.#parse(first, 1), tables: {} };
    for (const [at, line] of lines.entries()) {
      const pair: unknown = this.#parse(line, at + 2);
      if (!Array.isArray(pair)) throw this.#broken(at + 2);
      const [table, row]: unknown[] = pair;
      (head.tables[String(table)] ??= []).push(row);
    }
    return head;
  }

  async write(world: SavedWorld | null): Promise<void> {
    if (world === null) return;
    const { tables, ...head } = world;
    const beside = `${this.#file}.next`;
    const handle = await open(beside, "w", 0o600);
    try {
      await handle.write(`${JSON.stringify(head)}\n`);
      let lines: string[] = [];
      for (const [name, rows] of Object.entries(tables)) {
        for (const row of rows) {
          lines.push(`${JSON.stringify([name, row])}\n`);
          if (lines.length < 1_000) continue;
          await handle.write(lines.join(""));
          lines = [];
        }
      }
      await handle.write(lines.join(""));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, this.#file);
  }

  #parse(line: string, number: number): SavedWorld {
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

/** The id mark in a small file of its own, on disk before any id below it is used. */
export class MarkFile {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  read(): string {
    try {
      const text = readFileSync(this.#file, "utf8").trim();
      return /^\d{1,19}$/.test(text) ? text : "0";
    } catch (error) {
      absent(error);
      return "0";
    }
  }

  write(mark: string): void {
    const beside = `${this.#file}.next`;
    const descriptor = openSync(beside, "w", 0o600);
    try {
      writeSync(descriptor, `${mark}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(beside, this.#file);
  }
}

/** A file that is not there is nothing; every other fault is thrown on. */
function absent(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  throw error;
}
