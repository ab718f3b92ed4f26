const LONGEST = 64;
const KEPT = 1_000_000;

/**
 * One copy of texts that stand in many rows, such as ids: read from a file, each would be a copy of its own.
 *
 * A third of a large world's memory.
 */
export class ShortTexts {
  #known = new Map<string, string>();

  /** The same value with its short texts shared. Changes arrays and objects in place. */
  share(value: unknown): unknown {
    if (typeof value === "string") return value.length > LONGEST ? value : this.#one(value);
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at += 1) value[at] = this.share(value[at]);
    } else if (isRecord(value)) {
      for (const key of Object.keys(value)) value[key] = this.share(value[key]);
    }
    return value;
  }

  #one(text: string): string {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (this.#known.size >= KEPT) this.#known = new Map();
    this.#known.set(text, text);
    return text;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
