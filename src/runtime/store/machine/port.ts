import type { NewEscalation } from "../escalation.ts";
import type { ItemStatus, NewItem } from "../item.ts";
import type { NewTimer, RuleSource, RunStatus, RunWrite } from "../run.ts";
import type { ItemRow, ItemState } from "../tables/rows.ts";
import type { StateWrite } from "../transition.ts";

/** Columns of a run that the state machine uses. */
export interface MachineRun {
  readonly id: string;
  readonly status: RunStatus;
  readonly version: number;
  readonly waitsFor?: string;
  readonly slot?: string;
  readonly queues?: boolean;
}

/** Stored decision on an event. */
export interface DecisionWrite {
  readonly seq: number;
  readonly state: "open" | "done" | "dead-lettered";
  readonly attempts: number;
  /** Time of the decision by the platform's clock, in milliseconds since the epoch. */
  readonly at: number;
  /** Decision as JSON text. */
  readonly text: string;
}

/** Doubt about an item: another store, such as the one that a backup replaced, may have sent it already. */
export interface Doubt {
  /** Earliest time at which the other store may have sent the item. */
  readonly startedAt: number;
  /** Milliseconds for which the doubtful item blocks its lane. */
  readonly holdMs: number;
}

/** Runs, their timers and slots, as one transaction sees them. */
export interface RunPort<Run extends MachineRun = MachineRun> {
  run(id: string): Run | undefined;
  /** Returns the stored version of a run; 0 if there is no such run. */
  runVersion(id: string): number;
  /** Returns the runs that listen for the lane's next event, newest first. */
  listeners(lane: string): readonly Pick<MachineRun, "id" | "version">[];
  /** Returns the runs that hold a slot or queue for it, in the order in which they were started. */
  holders(slot: string): readonly Pick<MachineRun, "id" | "queues" | "waitsFor">[];
  /** @param before Stored run that is replaced; undefined if the run is new. */
  writeRun(run: RunWrite, before: Run | undefined): void;
  /** Returns the due time of a timer; undefined if there is no such timer. */
  dueAt(timer: string): number | undefined;
  /** Adds a timer. Keeps an existing timer with the same id. */
  setTimer(timer: NewTimer): void;
  moveTimer(timer: string, dueAt: number): void;
  dropTimer(timer: string): void;
}

/** Items, as one transaction sees them. */
export interface ItemPort<Run extends MachineRun = MachineRun> extends Pick<
  RunPort<Run>,
  "run" | "writeRun" | "dropTimer"
> {
  /** Returns the ids of the silences of a lane and of its account, oldest first. */
  silencesIn(lane: string): readonly number[];
  /** Limits on the number of answers. */
  readonly limits: {
    /** Returns the reason to hold the item; undefined if the item may be sent. */
    reached(item: NewItem): string | undefined;
    count(item: NewItem, status: ItemStatus): void;
    /** Resets the counts of the lane and of the text, after the operator released a held item. */
    beginAnew(item: ItemRow): void;
  };
  /** Returns the doubt about an item that is not in the queue; undefined if no other store has sent it. */
  doubt(item: Pick<NewItem, "seq" | "account">): Doubt | undefined;
  /** Returns the stored version of a value of user state; 0 if there is no value. */
  stateVersion(key: string): number;
  /** Whether the lane has no unsettled items except held ones, and its account is not paused. */
  isFree(lane: string): boolean;
  /** @returns The item with its number; `undefined` if the account already has an item with the same key. */
  addItem(item: NewItem, state: ItemState): ItemRow | undefined;
  changeItem(item: ItemRow, state: ItemState): void;
  /** Returns the pending and held items of a run. */
  unsentOf(run: string): readonly ItemRow[];
  /** Returns the pending, held and unknown items of a lane. */
  unsentIn(lane: string): readonly ItemRow[];
  /** Queues a settled or held item as an input of its lane, behind all earlier inputs. */
  addSettled(item: ItemRow): void;
}

/** Data that a transition reads and writes. Each store engine provides it within one transaction. */
export interface MachinePort<Run extends MachineRun = MachineRun>
  extends RunPort<Run>, ItemPort<Run> {
  /** Returns the number of failed attempts at an input; undefined if the input is not in the inbox. */
  attempts(input: number): number | undefined;
  /** Removes the input from the inbox. */
  removeInput(input: number): void;
  deferInput(input: number, attempts: number, retryAt: number): void;
  decide(decision: DecisionWrite): void;
  keepSource(source: RuleSource): void;
  writeState(write: StateWrite): void;
  /** Adds an escalation. Keeps an existing escalation with the same key. */
  addEscalation(escalation: NewEscalation): void;
}
