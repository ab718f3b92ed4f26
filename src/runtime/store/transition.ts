import type { Entry } from "./entry.ts";
import type { NewEscalation, Silence } from "./escalation.ts";
import type { Item, NewItem } from "./item.ts";
import type { NewTimer, RuleSource, RunAndEntry, RunWrite } from "./run.ts";

/** Unprocessed input of a lane, as `fetch` returns it. */
export type LaneInput = LanePlace &
  (
    | {
        readonly kind: "event";
        readonly entry: Entry;
        /** Runs that listen for the lane's next event, newest first. */
        readonly listeners: readonly RunAndEntry[];
      }
    | ({ readonly kind: "item-settled"; readonly item: Item } & RunAndEntry)
    | ({ readonly kind: "timer-due"; readonly timer: NewTimer } & RunAndEntry)
  );

interface LanePlace {
  /** Id of the input, unique among all unprocessed inputs. */
  readonly input: string;
  readonly lane: string;
  readonly partition: number;
  /** Number of earlier attempts to process the input, all of which failed. */
  readonly attempts: number;
  /** Silences of the lane, oldest first. Some may have ended. Absent: there are none. */
  readonly silences?: readonly Silence[];
}

/**
 * Input that a transition processes: an input of the inbox, a due timer, or the outcome of an effect, which exists only
 * in the process that performed it.
 */
export type InputRef =
  | { readonly kind: "inbox"; readonly id: number }
  | { readonly kind: "timer"; readonly id: string }
  | { readonly kind: "effect"; readonly run: string; readonly version: number };

/** Rows that a transition has read. The transition is `stale` if any of them has changed. */
export interface TransitionReads {
  /**
   * Only for an event: the listening runs to which the event was offered. The transition is `stale` if other runs
   * listen in the lane now, or one of these runs has changed.
   */
  readonly offeredTo?: readonly { readonly id: string; readonly version: number }[];
  /**
   * Open runs of each slot on which the decision depends, as `slots` returned them. The transition is `stale` if a slot
   * has other open runs now, or one of these runs has begun or stopped to queue.
   */
  readonly slots?: readonly SlotSeen[];
  /** Ids of the silences that were read. The transition is `stale` if the lane has other silences now. */
  readonly silencedBy?: readonly number[];
}

/** Rows that a transition writes. Runs and values of user state carry the version that was read. */
export interface TransitionEffects {
  readonly runs: readonly RunWrite[];
  readonly timers: readonly NewTimer[];
  /** Ids of timers to delete, because no run waits for them any more. */
  readonly cancelled?: readonly string[];
  /** Ids of runs whose unsent items shall expire. */
  readonly withdrawn?: readonly string[];
  /** If present, all unsent items of the lane expire for this reason, whichever run queued them. */
  readonly clearsLane?: string;
  readonly sources: readonly RuleSource[];
  readonly state: readonly StateWrite[];
  readonly items: readonly NewItem[];
  readonly escalations?: readonly NewEscalation[];
}

/** Processed input of a lane, and all its effects. Committed completely or not at all. */
export interface Transition extends TransitionReads, TransitionEffects {
  readonly input: InputRef;
  readonly lane: string;
  readonly partition: number;
  readonly epoch: number;
  /** Current time, by the platform's clock. */
  readonly at: number;
  /**
   * `done`: the input is processed. `retry`: the input stays first in its lane until `retryAt`; the transition stores
   * only its `decision`. `dead-lettered`: the input is removed from the inbox and stored as failed.
   */
  readonly outcome: "done" | "retry" | "dead-lettered";
  readonly retryAt?: number;
  /**
   * Key of the item among `items` that the caller wants to send now. The item has the transition's lane. It is stored
   * as `sending` if it would be `pending` otherwise, is due at `at`, its lane has no other unsettled item except held
   * ones, and its account is not paused.
   */
  readonly sends?: string;
  /** Only for an event, as JSON text: the executed rules and their revision, or the error of the failed decision. */
  readonly decision?: { readonly seq: number; readonly text: string };
}

/** Open runs of a slot at the time when the transition read them. */
export interface SlotSeen {
  readonly slot: string;
  readonly runs: readonly Pick<RunWrite, "id" | "queues">[];
}

/** Whether the open runs of a slot are still the runs that were read, and the same runs wait for their turn. */
export function areSeen(
  { runs: seen }: SlotSeen,
  runs: readonly Pick<RunWrite, "id" | "queues">[],
): boolean {
  return (
    seen.length === runs.length &&
    seen.every(({ id, queues }, place) => runs[place]?.id === id && runs[place]?.queues === queues)
  );
}

/** Reason stored with an item that expired because its run ended before the item was sent. */
export const WITHDRAWN = "its run has ended";

/** Reason stored with an item that expired because the data of its receiver were erased. */
export const ERASED = "the data of its receiver were erased";

/** Value that rules and bots have stored as user state, with its version. */
export interface StateValue {
  /** Value as JSON text. */
  readonly value: string;
  /** Version of the value, which rises with each change. */
  readonly version: number;
  /** Time from which the value may be deleted, by the platform's clock. Absent: it does not expire. */
  readonly expiresAt?: number;
}

/** Change of a value of user state. */
export interface StateWrite {
  readonly key: string;
  /** New value as JSON text; `null` removes the value. */
  readonly value: string | null;
  /** Version that was read; 0 if there was no value. The transition is `stale` if the stored version is another one. */
  readonly version: number;
  readonly expiresAt?: number;
}

/**
 * Result of a transition or of a change of an item, apart from {@link TransitionResult} and {@link ItemResult}.
 *
 * `committed`: stored completely. `fenced`: another worker holds the lease. `already-done`: the input was processed
 * before, or the item had another status. `stale`: a value that was read has changed; read and decide again. Only
 * `committed` stores anything.
 */
export type CommitResult = "committed" | "fenced" | "already-done" | "stale";

/**
 * Result of a transition. An object: committed, and the item with the id `sending` was stored as `sending` (see
 * {@link Transition.sends}).
 */
export type TransitionResult = CommitResult | { readonly sending: number };

/** Whether the transition was stored. */
export function isCommitted(result: TransitionResult): boolean {
  return result === "committed" || typeof result === "object";
}

/** Result of a change of an item. `ended`: committed, and the run that waited for the item has ended with it. */
export type ItemResult = CommitResult | "ended";
