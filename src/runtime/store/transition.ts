import type { Entry } from "./entry.ts";
import type { NewEscalation, Silence } from "./escalation.ts";
import type { Item, NewItem } from "./item.ts";
import type { NewTimer, RuleSource, RunAndEntry, RunWrite } from "./run.ts";

/** Something that happened in a lane and is still to be taken in, as `fetch` gives it. */
export type LaneInput = LanePlace &
  (
    | {
        readonly kind: "event";
        readonly entry: Entry;
        /** The runs of the lane that listen, the latest first. */
        readonly listeners: readonly RunAndEntry[];
      }
    | ({ readonly kind: "item-settled"; readonly item: Item } & RunAndEntry)
    | ({ readonly kind: "timer-due"; readonly timer: NewTimer } & RunAndEntry)
  );

interface LanePlace {
  /** Unique among all inputs that were not taken in yet. */
  readonly input: string;
  readonly lane: string;
  readonly partition: number;
  /** How often taking it in has failed so far. */
  readonly attempts: number;
  /** Where rules and bots are silent in the lane, oldest first; some may be over. Absent: nowhere. */
  readonly silences?: readonly Silence[];
}

/**
 * What a transition takes in: an input of the inbox, a due timer, or the outcome of an effect, which is
 * known only to the process that performed it.
 */
export type InputRef =
  | { readonly kind: "inbox"; readonly id: number }
  | { readonly kind: "timer"; readonly id: string }
  | { readonly kind: "effect"; readonly run: string; readonly version: number };

/** Rows that a transition was decided on: it is `stale` once any of them has changed. */
export interface TransitionReads {
  /**
   * Of an event: the runs of the lane that it was offered to, all that listen. It is `stale` when others
   * do by now, or one of them has changed.
   */
  readonly offeredTo?: readonly { readonly id: string; readonly version: number }[];
  /**
   * The open runs of each slot that it went by, as `slots` gave them. It is `stale` when there are others by now, or
   * one of them waits no longer.
   */
  readonly slots?: readonly SlotSeen[];
  /** Ids of the silences of the lane that it went by: it is `stale` when there are others by now. */
  readonly silencedBy?: readonly number[];
}

/** Rows that a transition writes. A run and a value of user state name the version that was read. */
export interface TransitionEffects {
  readonly runs: readonly RunWrite[];
  readonly timers: readonly NewTimer[];
  /** Ids of timers that nobody waits for any longer. */
  readonly cancelled?: readonly string[];
  /** Ids of runs whose items are given up that have not left. */
  readonly withdrawn?: readonly string[];
  /** Why all items of the lane are given up that have not left, whoever queued them; absent: they are not. */
  readonly clearsLane?: string;
  readonly sources: readonly RuleSource[];
  readonly state: readonly StateWrite[];
  readonly items: readonly NewItem[];
  readonly escalations?: readonly NewEscalation[];
}

/** Everything that follows from one input of a lane; committed whole or not at all. */
export interface Transition extends TransitionReads, TransitionEffects {
  readonly input: InputRef;
  readonly lane: string;
  readonly partition: number;
  readonly epoch: number;
  /** By the platform's clock. */
  readonly at: number;
  /**
   * `done`: taken in. `retry`: stays first in its lane until `retryAt`, and nothing else of the
   * transition but `decision` is kept. `dead-lettered`: off the inbox, kept as failed.
   */
  readonly outcome: "done" | "retry" | "dead-lettered";
  readonly retryAt?: number;
  /** Of an event, as JSON text: the rules that ran and their revision, or the error when deciding failed. */
  readonly decision?: { readonly seq: number; readonly text: string };
}

/** The open runs of a slot, as they were read. */
export interface SlotSeen {
  readonly slot: string;
  readonly runs: readonly Pick<RunWrite, "id" | "queues">[];
}

/** Whether `runs` are those that were seen: the same, and those wait that waited. */
export function areSeen(
  { runs: seen }: SlotSeen,
  runs: readonly Pick<RunWrite, "id" | "queues">[],
): boolean {
  return (
    seen.length === runs.length &&
    seen.every(({ id, queues }, place) => runs[place]?.id === id && runs[place]?.queues === queues)
  );
}

/** Why an item was given up before it left. */
export const WITHDRAWN = "its run has ended";

/** A value of user state. */
export interface StateValue {
  /** JSON text. */
  readonly value: string;
  /** Rises with each change. */
  readonly version: number;
  /** When it can be forgotten, by the platform's clock. Never, where absent. */
  readonly expiresAt?: number;
}

/** A change of user state. */
export interface StateWrite {
  readonly key: string;
  /** JSON text; `null` removes the value. */
  readonly value: string | null;
  /** The version that was read, 0 where there was none: the write holds only if it is still so. */
  readonly version: number;
  readonly expiresAt?: number;
}

/**
 * What became of a transition, of a run or an item.
 *
 * `committed`: kept, whole. `fenced`: the lease is another worker's by now. `already-done`: the input
 * was taken in before, or the item had left the state. `stale`: somebody changed what was read; read
 * again and decide again. Nothing is kept unless it is `committed`.
 */
export type CommitResult = "committed" | "fenced" | "already-done" | "stale";
