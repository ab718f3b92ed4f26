import type { Afterwards } from "../../in-memory/afterwards.ts";
import type { Database } from "../binding.ts";
import { accountOf } from "../../partition.ts";
import type { Operations } from "../calls.ts";

/** Key of the pause of all accounts. */
const ALL = "";

/** Paused accounts. Held in memory, because there are few of them, and each fetch checks every lane against them. */
export class Pauses {
  readonly #since = new Map<string, number>();
  readonly #afterwards: Afterwards;
  readonly #onChanged: () => void;
  readonly #begin;
  readonly #end;

  /** @param onChanged Called after a pause was started or ended, and the change was committed. */
  constructor(db: Database, afterwards: Afterwards, onChanged: () => void) {
    this.#afterwards = afterwards;
    this.#onChanged = onChanged;
    this.#begin = db.prepare(
      "INSERT INTO pauses (account, since) VALUES (?, ?) ON CONFLICT (account) DO NOTHING",
    );
    this.#end = db.prepare("DELETE FROM pauses WHERE account = ?");
    const all = db.prepare<{ account: string; since: number }>(
      "SELECT account, since FROM pauses ORDER BY account",
    );
    for (const { account, since } of all.all()) this.#since.set(account, since);
  }

  /** Whether the lane's account is paused. */
  holds(lane: string): boolean {
    if (this.#since.size === 0) return false;
    return this.#since.has(ALL) || this.#since.has(accountOf(lane));
  }

  readonly pauses: Operations["pauses"] = () =>
    [...this.#since].map(([account, since]) => (account === ALL ? { since } : { account, since }));

  readonly setPause: Operations["setPause"] = ({ account = ALL, since }) => {
    const changed = since === undefined ? this.#end.run(account) : this.#begin.run(account, since);
    this.#afterwards.add(() => {
      if (since === undefined) this.#since.delete(account);
      else if (!this.#since.has(account)) this.#since.set(account, since);
      this.#onChanged();
    });
    return changed > 0;
  };
}
