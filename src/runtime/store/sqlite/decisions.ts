import type { Decided, NewItem } from "../store.ts";
import type { Database } from "./binding.ts";
import type { Operations } from "./calls.ts";
import type { Counters } from "./counters.ts";
import type { Leases } from "./leases.ts";

/** What became of the entries, with everything that was decided of them. */
export class Decisions {
  readonly #counters: Counters;
  readonly #leases: Leases;
  readonly #open;
  readonly #take;
  readonly #delay;
  readonly #record;
  readonly #set;
  readonly #unset;
  readonly #queue;

  constructor(db: Database, counters: Counters, leases: Leases) {
    this.#counters = counters;
    this.#leases = leases;
    this.#open = db.prepare<{ attempts: number }>("SELECT attempts FROM inbox WHERE seq = ?");
    this.#take = db.prepare("DELETE FROM inbox WHERE seq = ?");
    this.#delay = db.prepare("UPDATE inbox SET attempts = ?, retry_at = ? WHERE seq = ?");
    this.#record = db.prepare(
      `INSERT INTO decisions (seq, state, attempts, decided_at, decision, runs) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (seq) DO UPDATE SET state = excluded.state, attempts = excluded.attempts,
         decided_at = excluded.decided_at, decision = excluded.decision, runs = excluded.runs`,
    );
    this.#set = db.prepare(
      "INSERT INTO state (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    );
    this.#unset = db.prepare("DELETE FROM state WHERE key = ?");
    this.#queue = db.prepare(
      `INSERT INTO items (id, key, seq, account, lane, action, status, not_before, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, 'pending', ?, ?) ON CONFLICT (key, account) DO NOTHING`,
    );
  }

  readonly commit: Operations["commit"] = (worker, decided) =>
    decided.map((one) => this.#leases.holds(worker, one) && this.#decide(one));

  #decide(one: Decided): boolean {
    const open = this.#open.get(one.seq);
    if (open === undefined) return false;
    const attempts = open.attempts + (one.outcome === "done" ? 0 : 1);
    if (one.outcome === "retry") {
      this.#delay.run(attempts, one.retryAt ?? one.decidedAt, one.seq);
    } else {
      this.#take.run(one.seq);
      this.#counters.add("inbox", -1);
    }
    const state = one.outcome === "retry" ? "open" : one.outcome;
    const runs = JSON.stringify(one.runs);
    this.#record.run(one.seq, state, attempts, one.decidedAt, one.decision, runs);
    for (const { key, value } of one.state) {
      if (value === null) this.#unset.run(key);
      else this.#set.run(key, value);
    }
    for (const item of one.items) this.#enqueue(item, one.seq);
    return true;
  }

  #enqueue(item: NewItem, seq: number): void {
    const id = this.#counters.get("item") + 1;
    const { key, account, lane, notBefore, expiresAt = null } = item;
    const action = JSON.stringify(item.action);
    if (this.#queue.run(id, key, seq, account, lane, action, notBefore, expiresAt) === 0) return;
    this.#counters.add("item", 1);
    this.#counters.add("item.pending", 1);
  }
}
