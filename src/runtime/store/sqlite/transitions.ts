import { areSeen, type CommitResult, type InputRef, type Transition } from "../transition.ts";
import type { Database } from "./binding.ts";
import type { Operations } from "./calls.ts";
import type { Escalations } from "./escalations.ts";
import type { Inbox } from "./inbox.ts";
import type { Leases } from "./leases.ts";
import type { OutboxTable } from "./outbox.ts";
import type { Runs } from "./runs.ts";
import type { State } from "./state.ts";
import type { Slots } from "./waiting/slots.ts";

/** What transitions change. */
interface TransitionParts {
  readonly leases: Leases;
  readonly inbox: Inbox;
  readonly outbox: OutboxTable;
  readonly runs: Runs;
  readonly state: State;
  readonly slots: Slots;
  readonly escalations: Escalations;
}

/** What became of the inputs of lanes, with everything that follows from each. */
export class Transitions {
  readonly #parts: TransitionParts;
  readonly #record;

  constructor(db: Database, parts: TransitionParts) {
    this.#parts = parts;
    this.#record = db.prepare(
      `INSERT INTO decisions (seq, state, attempts, decided_at, decision) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (seq) DO UPDATE SET state = excluded.state, attempts = excluded.attempts,
         decided_at = excluded.decided_at, decision = excluded.decision`,
    );
  }

  readonly commit: Operations["commit"] = (worker, transitions) =>
    transitions.map((one) =>
      this.#parts.leases.holds(worker, one) ? this.#commit(one) : "fenced",
    );

  #commit(one: Transition): CommitResult {
    const attempts = this.#attemptsAt(one.input);
    if (attempts === undefined) return "already-done";
    if (one.outcome === "retry") {
      this.#putOff(one, attempts + 1);
      return "committed";
    }
    const changed =
      one.state.some(({ key, version }) => this.#parts.state.versionOf(key) !== version) ||
      // A new run can't be there: the input that starts it was not taken in before.
      one.runs.some(({ id, version }) => version > 0 && this.#parts.runs.versionOf(id) !== version);
    if (changed || this.#isOfferedToOthers(one) || this.#isHeldByOthers(one)) return "stale";
    if (this.#isSilencedByOthers(one)) return "stale";
    this.#takeIn(one.input);
    const failed = one.outcome === "dead-lettered";
    this.#decided(one, one.outcome, attempts + (failed ? 1 : 0));
    for (const source of one.sources) this.#parts.runs.saveSource(source);
    const freed = one.runs.map((run) => this.#parts.runs.write(run));
    for (const id of one.cancelled ?? []) this.#parts.runs.dropTimer(id);
    for (const timer of one.timers) this.#parts.runs.setTimer(timer);
    for (const slot of freed) if (slot !== undefined) this.#parts.slots.wakeNext(slot, one.at);
    for (const run of one.withdrawn ?? []) this.#parts.outbox.withdraw(run, one.at);
    if (one.clearsLane !== undefined) {
      this.#parts.outbox.clear(one.lane, one.at, one.clearsLane);
    }
    for (const write of one.state) this.#parts.state.write(write);
    for (const item of one.items) this.#parts.outbox.enqueue(item, one.at);
    for (const escalation of one.escalations ?? []) this.#parts.escalations.add(escalation);
    return "committed";
  }

  #isOfferedToOthers({ lane, offeredTo }: Transition): boolean {
    if (offeredTo === undefined) return false;
    const listeners = this.#parts.runs.listeners(lane);
    return (
      listeners.length !== offeredTo.length ||
      listeners.some(({ run }, place) => {
        const known = offeredTo[place];
        return known?.id !== run.id || known.version !== run.version;
      })
    );
  }

  #isHeldByOthers({ slots = [] }: Transition): boolean {
    return slots.some((seen) => !areSeen(seen, this.#parts.slots.of(seen.slot)));
  }

  #isSilencedByOthers({ lane, silencedBy }: Transition): boolean {
    if (silencedBy === undefined) return false;
    const now = this.#parts.escalations.silences(lane);
    return now.length !== silencedBy.length || now.some(({ id }, at) => id !== silencedBy[at]);
  }

  /** How often taking the input in has failed; `undefined`: it was taken in. */
  #attemptsAt(input: InputRef): number | undefined {
    switch (input.kind) {
      case "inbox":
        return this.#parts.inbox.attemptsAt(input.id);
      case "timer":
        return this.#parts.runs.hasTimer(input.id) ? 0 : undefined;
      case "effect":
        return this.#parts.runs.versionOf(input.run) === input.version ? 0 : undefined;
    }
  }

  #putOff(one: Transition, attempts: number): void {
    if (one.input.kind !== "inbox") return;
    this.#parts.inbox.putOff(one.input.id, attempts, one.retryAt ?? one.at);
    this.#decided(one, "open", attempts);
  }

  #takeIn(input: InputRef): void {
    if (input.kind === "timer") this.#parts.runs.dropTimer(input.id);
    if (input.kind === "inbox") this.#parts.inbox.takeIn(input.id);
  }

  #decided({ decision, at }: Transition, state: string, attempts: number): void {
    if (decision === undefined) return;
    this.#record.run(decision.seq, state, attempts, at, decision.text);
  }
}
