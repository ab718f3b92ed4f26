import type { NewEscalation } from "../escalation.ts";
import type { ItemStatus, NewItem } from "../item.ts";
import type { ItemRow } from "../rows/rows.ts";
import type { NewTimer, RuleSource, RunStatus, RunWrite } from "../run.ts";
import type { StateWrite } from "../transition.ts";

/** A run, as far as the machine goes by it. */
export interface MachineRun {
  readonly id: string;
  readonly status: RunStatus;
  readonly version: number;
  readonly waitsFor?: string;
  readonly slot?: string;
  readonly queues?: boolean;
}

/** What was decided on an event. */
export interface DecisionWrite {
  readonly seq: number;
  readonly state: "open" | "done" | "dead-lettered";
  readonly attempts: number;
  /** By the platform's clock. */
  readonly at: number;
  /** JSON text. */
  readonly text: string;
}

/** What changes of an item with its state. */
export type ItemState = Pick<
  ItemRow,
  | "status"
  | "attempts"
  | "not_before"
  | "expires_at"
  | "started_at"
  | "settled_at"
  | "platform_id"
  | "reason"
>;

/** Doubt about an item: another store may have sent it, since this one was brought back from a backup. */
export interface Doubt {
  /** When the other store may have begun. */
  readonly startedAt: number;
  /** How long the item holds up its lane. */
  readonly holdMs: number;
}

/** Runs, their timers and slots, as one transaction sees them. */
export interface RunPort<Run extends MachineRun = MachineRun> {
  run(id: string): Run | undefined;
  /** The version in which the run is kept now; 0 when it is not there. */
  runVersion(id: string): number;
  /** The runs of the lane that listen, the latest first. */
  listeners(lane: string): readonly Pick<MachineRun, "id" | "version">[];
  /** The open runs of a slot, in the order in which they were started. */
  holders(slot: string): readonly Pick<MachineRun, "id" | "queues" | "waitsFor">[];
  /** @param before Absent: the run is new. */
  writeRun(run: RunWrite, before: Run | undefined): void;
  /** When the timer falls due; `undefined`: there is none. */
  dueAt(timer: string): number | undefined;
  /** A timer of that name that is there stays as it is. */
  setTimer(timer: NewTimer): void;
  moveTimer(timer: string, dueAt: number): void;
  dropTimer(timer: string): void;
}

/** Items, as one transaction sees them. */
export interface ItemPort extends Pick<RunPort, "run"> {
  /** Limits of how many answers there may be. */
  readonly limits: {
    /** Why the item is to be held; `undefined` when it may go. */
    reached(item: NewItem): string | undefined;
    count(item: NewItem, status: ItemStatus): void;
    /** The operator lets the item go: its lane and its text begin to count anew. */
    beginAnew(item: ItemRow): void;
  };
  /** What is doubtful of an item that the entry `seq` brought about. */
  doubt(seq: number): Doubt | undefined;
  /** The version of the value of user state that is kept now; 0 when there is none. */
  stateVersion(key: string): number;
  /** @returns The item with its number; `undefined` when the account has one of its key already. */
  addItem(item: NewItem, state: ItemState): ItemRow | undefined;
  changeItem(item: ItemRow, state: ItemState): void;
  /** Pending and held items of a run. */
  unsentOf(run: string): readonly ItemRow[];
  /** Pending, held and unknown items of a lane. */
  unsentIn(lane: string): readonly ItemRow[];
  /** Puts a settled or held item into its lane, behind all that came in before. */
  addSettled(item: ItemRow): void;
}

/** All that a transition reads and writes: what an engine offers to the machine within one transaction. */
export interface MachinePort<Run extends MachineRun = MachineRun> extends RunPort<Run>, ItemPort {
  run(id: string): Run | undefined;
  /** How often taking in the input has failed; `undefined`: it was taken in. */
  attempts(input: number): number | undefined;
  /** Takes the input off the inbox. */
  takeIn(input: number): void;
  putOff(input: number, attempts: number, retryAt: number): void;
  decide(decision: DecisionWrite): void;
  keepSource(source: RuleSource): void;
  writeState(write: StateWrite): void;
  /** Ids of the silences that a lane goes by, oldest first. */
  silencesIn(lane: string): readonly number[];
  /** One of that key that is there stays as it is. */
  addEscalation(escalation: NewEscalation): void;
}
