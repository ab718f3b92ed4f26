import type { CountName } from "../counts.ts";
import type { NewEscalation } from "../../escalation.ts";
import type { NewTimer, RuleSource, RunWrite } from "../../run.ts";
import type { DecisionWrite } from "../../machine/port.ts";
import type { FoundInput, FoundItem } from "./found.ts";

/** Run to write: a new run, or the new content of a stored run. */
export interface PendingRun {
  readonly write: RunWrite;
  readonly isNew: boolean;
  /** Version of the run after the write. */
  readonly version: number;
}

/** Change of a timer that a group of transitions makes: the timer is deleted, added, or gets another due time. */
export type PendingTimer =
  | { readonly do: "drop" }
  /** `replace`: a timer with the same id is dropped in the same group. */
  | { readonly do: "put"; readonly timer: NewTimer; readonly replace: boolean }
  | { readonly do: "move"; readonly dueAt: number };

/** New content of a value of user state. `null` removes the value. */
export interface PendingState {
  readonly value: string | null;
  readonly expiresAt: number | undefined;
}

/** Item to write, with its stored status. */
export interface PendingItem {
  readonly item: FoundItem;
  /** Status before the change; `undefined` for a new item. */
  readonly before: FoundItem["status"] | undefined;
}

/** Writes that result from a group of changes: one write for each row, even if several changes affect the row. */
export class Pending {
  readonly takenIn = new Map<number, FoundInput>();
  readonly putOff = new Map<number, { readonly input: FoundInput; readonly retryAt: number }>();
  readonly decisions = new Map<number, DecisionWrite>();
  readonly sources = new Map<string, RuleSource>();
  readonly runs = new Map<string, PendingRun>();
  readonly timers = new Map<string, PendingTimer>();
  readonly states = new Map<string, PendingState>();
  readonly items = new Map<number, PendingItem>();
  /** Settled items that become inputs of their lanes, in the order of the new inputs. */
  readonly settled: FoundItem[] = [];
  readonly escalations: NewEscalation[] = [];
  /** Lanes whose stored items no longer count against limits. Items queued in this group still count. */
  readonly discounted = new Set<string>();
  readonly counts = new Map<CountName, number>();

  count(name: CountName, delta: number): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + delta);
  }

  decide(decision: DecisionWrite): void {
    this.decisions.set(decision.seq, decision);
  }
}
