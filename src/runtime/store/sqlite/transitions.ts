import type { NewItem } from "../item.ts";
import type { CommitResult, InputRef, Transition } from "../transition.ts";
import type { Database } from "./binding.ts";
import type { Operations } from "./calls.ts";
import type { Counters } from "./counters.ts";
import type { Leases } from "./leases.ts";
import type { Runs } from "./runs.ts";
import type { State } from "./state.ts";

/** What became of the inputs of lanes, with everything that follows from each. */
export class Transitions {
  readonly #counters: Counters;
  readonly #leases: Leases;
  readonly #runs: Runs;
  readonly #state: State;
  readonly #open;
  readonly #take;
  readonly #delay;
  readonly #record;
  readonly #queue;

  constructor(db: Database, counters: Counters, leases: Leases, runs: Runs, state: State) {
    this.#counters = counters;
    this.#leases = leases;
    this.#runs = runs;
    this.#state = state;
    this.#open = db.prepare<{ attempts: number }>("SELECT attempts FROM inbox WHERE seq = ?");
    this.#take = db.prepare("DELETE FROM inbox WHERE seq = ?");
    this.#delay = db.prepare("UPDATE inbox SET attempts = ?, retry_at = ? WHERE seq = ?");
    this.#record = db.prepare(
      `INSERT INTO decisions (seq, state, attempts, decided_at, decision) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (seq) DO UPDATE SET state = excluded.state, attempts = excluded.attempts,
         decided_at = excluded.decided_at, decision = excluded.decision`,
    );
    this.#queue = db.prepare(
      `INSERT INTO items (id, key, run, seq, account, lane, action, status, not_before, expires_at, priority)
       VALUES (?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?) ON CONFLICT (key, account) DO NOTHING`,
    );
  }

  readonly commit: Operations["commit"] = (worker, transitions) =>
    transitions.map((one) => (this.#leases.holds(worker, one) ? this.#commit(one) : "fenced"));

  #commit(one: Transition): CommitResult {
    const attempts = this.#attemptsAt(one.input);
    if (attempts === undefined) return "already-done";
    if (one.outcome === "retry") {
      this.#putOff(one, attempts + 1);
      return "committed";
    }
    const changed =
      one.state.some(({ key, version }) => this.#state.versionOf(key) !== version) ||
      // A new run can't be there: the input that starts it was not taken in before.
      one.runs.some(({ id, version }) => version > 0 && this.#runs.versionOf(id) !== version);
    if (changed) return "stale";
    this.#takeIn(one.input);
    const failed = one.outcome === "dead-lettered";
    this.#decided(one, one.outcome, attempts + (failed ? 1 : 0));
    for (const source of one.sources) this.#runs.saveSource(source);
    for (const run of one.runs) this.#runs.write(run);
    for (const timer of one.timers) this.#runs.setTimer(timer);
    for (const write of one.state) this.#state.write(write);
    for (const item of one.items) this.#enqueue(item);
    return "committed";
  }

  /** How often taking the input in has failed; `undefined`: it was taken in. */
  #attemptsAt(input: InputRef): number | undefined {
    switch (input.kind) {
      case "inbox":
        return this.#open.get(input.id)?.attempts;
      case "timer":
        return this.#runs.hasTimer(input.id) ? 0 : undefined;
      case "effect":
        return this.#runs.versionOf(input.run) === input.version ? 0 : undefined;
    }
  }

  #putOff(one: Transition, attempts: number): void {
    if (one.input.kind !== "inbox") return;
    this.#delay.run(attempts, one.retryAt ?? one.at, one.input.id);
    this.#decided(one, "open", attempts);
  }

  #takeIn(input: InputRef): void {
    if (input.kind === "timer") this.#runs.dropTimer(input.id);
    if (input.kind !== "inbox") return;
    this.#take.run(input.id);
    this.#counters.add("inbox", -1);
  }

  #decided({ decision, at }: Transition, state: string, attempts: number): void {
    if (decision === undefined) return;
    this.#record.run(decision.seq, state, attempts, at, decision.text);
  }

  #enqueue(item: NewItem): void {
    const id = this.#counters.get("item") + 1;
    const { key, run, seq, account, lane, notBefore, expiresAt = null, priority = 0 } = item;
    const action = JSON.stringify(item.action);
    const values = [id, key, run, seq, account, lane, action, notBefore, expiresAt, priority];
    if (this.#queue.run(...values) === 0) return;
    this.#counters.add("item", 1);
    this.#counters.add("item.pending", 1);
  }
}
