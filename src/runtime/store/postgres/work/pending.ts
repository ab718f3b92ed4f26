import type { CountName } from "../counts.ts";
import type { NewEscalation } from "../../escalation.ts";
import type { NewTimer, RuleSource, RunWrite } from "../../run.ts";
import type { DecisionWrite } from "../../machine/port.ts";
import type { FoundInput, FoundItem } from "./found.ts";

/** A run as it is to be written: a new one, or what one becomes. */
export interface PendingRun {
  readonly write: RunWrite;
  readonly isNew: boolean;
  /** The version in which it is kept then. */
  readonly version: number;
}

/** What becomes of a timer. */
export type PendingTimer =
  | { readonly do: "drop" }
  /** `replace`: one of that name was there, and is dropped. */
  | { readonly do: "put"; readonly timer: NewTimer; readonly replace: boolean }
  | { readonly do: "move"; readonly dueAt: number };

/** What becomes of a value of user state; no value: it is removed. */
export interface PendingState {
  readonly value: string | null;
  readonly expiresAt: number | undefined;
}

/** An item that is written, with the state in which the store has it now. */
export interface PendingItem {
  readonly item: FoundItem;
  /** `undefined`: it is new. */
  readonly before: FoundItem["status"] | undefined;
}

/** What a group of changes comes to: every row once, however often it was changed. */
export class Pending {
  readonly takenIn = new Map<number, FoundInput>();
  readonly putOff = new Map<number, { readonly input: FoundInput; readonly retryAt: number }>();
  readonly decisions = new Map<number, DecisionWrite>();
  readonly sources = new Map<string, RuleSource>();
  readonly runs = new Map<string, PendingRun>();
  readonly timers = new Map<string, PendingTimer>();
  readonly states = new Map<string, PendingState>();
  readonly items = new Map<number, PendingItem>();
  /** Settled items that become inputs of their lanes, in their order. */
  readonly settled: FoundItem[] = [];
  readonly escalations: NewEscalation[] = [];
  /** Lanes whose items count no longer, but for those that are queued here. */
  readonly discounted = new Set<string>();
  readonly counts = new Map<CountName, number>();

  count(name: CountName, delta: number): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + delta);
  }

  decide(decision: DecisionWrite): void {
    this.decisions.set(decision.seq, decision);
  }
}
