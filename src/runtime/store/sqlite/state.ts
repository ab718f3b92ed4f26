import type { StateValue, StateWrite } from "../transition.ts";
import { assigned, listed, recordOf, rowOf, type RowOf } from "../tables/columns.ts";
import { STATE_VALUE } from "../tables/rows.ts";
import { STATE } from "../tables/tables.ts";
import type { Database } from "./binding.ts";
import type { Operations } from "./calls.ts";
import type { Counters } from "./counters.ts";
import { rowInsert } from "./row-writes.ts";

/** Named values: user state, and the store's own metadata. */
export class State {
  readonly #counters: Counters;
  readonly #value;
  readonly #set;
  readonly #unset;
  readonly #meta;
  readonly #metas;
  readonly #setMeta;
  readonly #unsetMeta;

  constructor(db: Database, counters: Counters) {
    this.#counters = counters;
    this.#value = db.prepare<RowOf<typeof STATE_VALUE>>(
      `SELECT ${listed(STATE_VALUE)} FROM state WHERE key = ?`,
    );
    this.#set = rowInsert(db, STATE, `ON CONFLICT (key) DO UPDATE SET ${assigned(STATE.changing)}`);
    this.#unset = db.prepare("DELETE FROM state WHERE key = ?");
    this.#meta = db.prepare<{ value: string }>("SELECT value FROM meta WHERE name = ?");
    this.#metas = db.prepare<{ name: string; value: string }>(
      "SELECT name, value FROM meta WHERE substr(name, 1, length(?1)) = ?1 ORDER BY name",
    );
    this.#unsetMeta = db.prepare("DELETE FROM meta WHERE name = ?");
    this.#setMeta = db.prepare(
      "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    );
  }

  readonly load: Operations["load"] = (keys) => {
    const values = new Map<string, StateValue>();
    for (const key of keys) {
      const row = this.#value.get(key);
      if (row !== undefined) values.set(key, recordOf(STATE_VALUE, row));
    }
    return values;
  };

  /** Returns the stored version of a value; 0 if there is no value. */
  versionOf(key: string): number {
    return this.#value.get(key)?.version ?? 0;
  }

  /** Writes or deletes a value. No version is used twice, even if a key's value was deleted and created again. */
  write({ key, value, expiresAt }: StateWrite): void {
    if (value === null) this.#unset.run(key);
    else
      this.#set(rowOf(STATE, { key, value, version: this.#counters.add("state", 1), expiresAt }));
  }

  readonly getMeta: Operations["getMeta"] = (name) => this.#meta.get(name)?.value;

  readonly metas: Operations["metas"] = (prefix) =>
    new Map(this.#metas.all(prefix).map(({ name, value }) => [name, value]));

  readonly changeMetas: Operations["changeMetas"] = (changes) => {
    const current = changes.map(({ name }) => this.getMeta(name));
    if (changes.every(({ to }, at) => current[at] === to)) return true;
    if (changes.some(({ was }, at) => current[at] !== was)) return false;
    for (const { name, to } of changes) {
      if (to === undefined) this.#unsetMeta.run(name);
      else this.#setMeta.run(name, to);
    }
    return true;
  };

  readonly setMeta: Operations["setMeta"] = (name, value) => void this.#setMeta.run(name, value);
}
