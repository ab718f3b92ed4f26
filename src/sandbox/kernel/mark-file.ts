import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { absent } from "./absent.ts";

/** The id mark in a small file of its own, on disk before any id below it is used. */
export class MarkFile {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** The mark, "0" where there is none. @throws {Error} where the file holds something else. */
  read(): string {
    const text = this.#text();
    if (text === undefined || /^\d{1,19}$/.test(text)) return text ?? "0";
    throw new Error(
      `${this.#file} is not an id mark; ids of this world could recur: move it and the world away to start afresh`,
    );
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

  #text(): string | undefined {
    try {
      return readFileSync(this.#file, "utf8").trim();
    } catch (error) {
      return absent(error);
    }
  }
}
