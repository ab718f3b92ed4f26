import { readFileSync } from "node:fs";
import { isMissingFile } from "../../../system/files/missing-file.ts";
import { refuseUnsafe, replaceFileSync } from "../../../system/files/own-file.ts";

/** File with an upper bound (high-water mark) of the ids used. It is raised on disk before an id reaches the mark. */
export class HighWaterFile {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Reads the mark; returns "0" if there is no file. @throws {Error} if the file is invalid. */
  read(): string {
    const text = this.#text();
    if (text === undefined || /^\d{1,19}$/.test(text)) return text ?? "0";
    throw new Error(
      `${this.#file} is not an id mark; ids of this world could recur: move it and the world away to start afresh`,
    );
  }

  write(mark: string): void {
    replaceFileSync(this.#file, `${mark}\n`);
  }

  #text(): string | undefined {
    refuseUnsafe(this.#file);
    try {
      return readFileSync(this.#file, "utf8").trim();
    } catch (error) {
      if (isMissingFile(error)) return undefined;
      throw error;
    }
  }
}
