import type { Database } from "./binding.ts";
import type { Operations } from "./calls.ts";

/** Values by name: user state, and the store's own few. */
export class State {
  readonly #value;
  readonly #meta;
  readonly #setMeta;

  constructor(db: Database) {
    this.#value = db.prepare<{ value: string }>("SELECT value FROM state WHERE key = ?");
    this.#meta = db.prepare<{ value: string }>("SELECT value FROM meta WHERE name = ?");
    this.#setMeta = db.prepare(
      "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    );
  }

  readonly load: Operations["load"] = (keys) => {
    const found = new Map<string, string>();
    for (const key of keys) {
      const row = this.#value.get(key);
      if (row !== undefined) found.set(key, row.value);
    }
    return found;
  };

  readonly getMeta: Operations["getMeta"] = (name) => this.#meta.get(name)?.value;

  readonly setMeta: Operations["setMeta"] = (name, value) => void this.#setMeta.run(name, value);
}
