import { createHash } from "node:crypto";
import type { Cells } from "./sides.ts";

/** Number of rows of a table and a digest of their contents. The digest does not depend on the order of the rows. */
export interface TableDigest {
  readonly rows: number;
  readonly digest: string;
}

/** Sums the hashes of rows: a sum does not depend on their order. */
export class Digest {
  #rows = 0;
  readonly #sum = new Uint32Array(4);

  add(rows: readonly Cells[]): void {
    this.#rows += rows.length;
    for (const row of rows) {
      const hash = createHash("sha256").update(JSON.stringify(row)).digest();
      for (let at = 0; at < this.#sum.length; at += 1) {
        this.#sum[at] = (this.#sum[at] ?? 0) + hash.readUInt32LE(at * 4);
      }
    }
  }

  result(): TableDigest {
    const digest = [...this.#sum].map((part) => part.toString(16).padStart(8, "0")).join("");
    return { rows: this.#rows, digest };
  }
}
