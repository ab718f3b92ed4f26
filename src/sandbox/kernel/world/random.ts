import { createHash } from "node:crypto";

/**
 * Reproducible randomness: the same seed produces the same secrets, tokens and draws.
 *
 * A draw hashes seed and counter, so that a saved world can store the whole state as one number.
 */
export class Random {
  readonly #seed: string;
  #drawn: number;

  /** @param drawn Number of earlier draws from this seed; 0 for a new world. */
  constructor(seed: string, drawn = 0) {
    this.#seed = seed;
    this.#drawn = drawn;
  }

  /** Number of draws so far. */
  get drawn(): number {
    return this.#drawn;
  }

  /** Returns `length` bytes, 64 at most. */
  bytes(length: number): Buffer {
    this.#drawn += 1;
    return createHash("sha512").update(`${this.#seed}:${this.#drawn}`).digest().subarray(0, length);
  }

  /** Returns `length` characters of A-Z, a-z and 0-9. */
  alphanumeric(length: number): string {
    let text = "";
    while (text.length < length)
      text += this.bytes(48)
        .toString("base64")
        .replace(/[^A-Za-z0-9]/g, "");
    return text.slice(0, length);
  }

  /** Returns a uniform number in [0, 1). */
  fraction(): number {
    return this.bytes(6).readUIntBE(0, 6) / 2 ** 48;
  }
}
