import { messageOf } from "../../system/error-message.ts";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import { StoreError } from "../store/errors.ts";
import type { RunAndEntry } from "../store/run.ts";
import type { DecidePort } from "../store/store.ts";
import type { InputRef, Transition } from "../store/transition.ts";
import type { Commit } from "./commit-batcher.ts";
import { wholeRun } from "./parallel/whole-run.ts";
import type { Interpret } from "./interpreter.ts";
import { type Interpretation, type LaneEvent, NOTHING } from "./lane-event.ts";
import { placeOf, writeAt } from "./run-place.ts";

/** An input in hand, under the lease that covers it. */
export interface InputInHand {
  readonly ref: InputRef;
  readonly lane: string;
  readonly partition: number;
  readonly epoch: number;
  /** How often taking it in has failed so far. */
  readonly attempts: number;
}

export interface TakeInNeeds {
  readonly interpret: Interpret;
  readonly commit: Commit;
  /** The runs of a lane that listen, where rules and bots are silent in it, and which runs belong together. */
  readonly store: Pick<DecidePort, "listeners" | "silences" | "runsOf">;
  readonly clock: Clock;
  readonly log: Log;
  /** Nothing is kept any more: the runtime has stopped. */
  readonly isAbandoned: () => boolean;
  /** Called after a commit: what happened, and what followed from it. */
  readonly onCommitted: (
    happened: LaneEvent,
    interpretation: Interpretation,
    outcome: Transition["outcome"],
  ) => void;
}

/**
 * Says what follows from an input and commits it.
 *
 * @returns `true` when the lane may go on to its next input.
 * @throws {StoreError} when the store can't be read or written: nothing is wrong with the input.
 */
export type TakeIn = (happened: LaneEvent, hand: InputInHand) => Promise<boolean>;

/** A failing input stays first in its lane for so long, then it is dead-lettered and the lane goes on. */
const RETRY_DELAYS_MS = [1_000, 5_000, 30_000, 120_000] as const;

/** As many attempts as an input has that is not tried again. */
export const LAST_ATTEMPT = RETRY_DELAYS_MS.length;

/** Somebody else changed what was read: read again so often at once, then as after a failure. */
const MAX_STALE = 100;

/** The step of a lane: interpret, commit, and again when somebody else was quicker. */
export function takeIn(needs: TakeInNeeds): TakeIn {
  return async (first, hand) => {
    let happened = first;
    for (let stale = 0; ; stale += 1) {
      const interpretation = await interpreted(happened, hand, needs);
      if (needs.isAbandoned()) return false;
      if (interpretation instanceof Failure) return fail(happened, hand, interpretation, needs);
      const transition = transitionOf(happened, interpretation, hand, needs.clock.now());
      const result = await needs.commit(transition).catch(unkeepable);
      if (result instanceof Failure) return fail(happened, hand, result, needs);
      if (result === "committed") {
        needs.onCommitted(happened, interpretation, "done");
        return true;
      }
      if (result === "stale" && stale < MAX_STALE && mayChange(happened, interpretation)) {
        // What came before it in the lane may have begun to listen, or to be silent.
        const { lane } = hand;
        const silences = await needs.store.silences(lane);
        happened =
          happened.kind === "event"
            ? { ...happened, silences, listeners: await needs.store.listeners(lane) }
            : { ...happened, silences };
        continue;
      }
      const { ref, lane } = hand;
      needs.log.warn({ input: ref, lane, result }, "transition not kept");
      return false;
    }
  };
}

/** Whether somebody else can have changed what it went by: of an effect's outcome, its user state and its slot only. */
function mayChange(happened: LaneEvent, { state, slots }: Interpretation): boolean {
  return isFetched(happened) || state.length > 0 || slots.length > 0;
}

/** Whether the store gave it, with what it knows of the lane. */
function isFetched({ kind }: LaneEvent): boolean {
  return kind === "event" || kind === "item-settled" || kind === "timer-due";
}

/** Something is wrong with the input, or with what follows from it. */
class Failure {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

async function interpreted(
  happened: LaneEvent,
  { ref, attempts }: InputInHand,
  { interpret, log, isAbandoned }: TakeInNeeds,
): Promise<Interpretation | Failure> {
  try {
    return await interpret(happened);
  } catch (error) {
    // The disk's fault is not the input's.
    if (error instanceof StoreError && error.retryable) throw error;
    if (!isAbandoned()) log.error({ err: error, input: ref, attempts }, "deciding failed");
    return new Failure(error);
  }
}

/** What no store can keep is the input's fault; anything else is the store's. */
function unkeepable(error: unknown): Failure {
  if (error instanceof StoreError && error.code === "store-data") return new Failure(error);
  throw error;
}

/** Another try later, or none any more; then a run that was to go on has failed. */
async function fail(
  happened: LaneEvent,
  hand: InputInHand,
  { error }: Failure,
  { clock, commit, onCommitted, store }: TakeInNeeds,
): Promise<boolean> {
  const at = clock.now();
  const delay = RETRY_DELAYS_MS[hand.attempts];
  const text = JSON.stringify({ error: messageOf(error) });
  const outcome = delay === undefined ? "dead-lettered" : "retry";
  const isOver = outcome === "dead-lettered" && "run" in happened;
  const failed = isOver ? await wholeRun(happened.run, store) : [];
  const result = await commit({
    ...bare(hand, at),
    outcome,
    ...(delay !== undefined && { retryAt: at + delay }),
    ...(happened.kind === "event" && { decision: { seq: happened.entry.seq, text } }),
    ...("run" in happened && { runs: failed.map((run) => failedRun({ ...happened, run }, text)) }),
  });
  if (result === "committed") onCommitted(happened, NOTHING, outcome);
  return result === "committed" && outcome === "dead-lettered";
}

function failedRun({ run, entry }: RunAndEntry, body: string) {
  return writeAt(placeOf(run, entry), "failed", body);
}

function bare({ ref, lane, partition, epoch }: InputInHand, at: number) {
  return {
    input: ref,
    lane,
    partition,
    epoch,
    at,
    runs: [],
    timers: [],
    sources: [],
    state: [],
    items: [],
  };
}

function transitionOf(
  happened: LaneEvent,
  interpretation: Interpretation,
  hand: InputInHand,
  at: number,
): Transition {
  const { decision, runs, timers, sources, state, items } = interpretation;
  const { cancelled, withdrawn, clearsLane, slots, escalations } = interpretation;
  const text = JSON.stringify(decision ?? {});
  return {
    ...bare(hand, at),
    outcome: "done",
    runs,
    timers,
    sources,
    state,
    items,
    ...(cancelled.length > 0 && { cancelled }),
    ...(withdrawn.length > 0 && { withdrawn }),
    ...(clearsLane !== undefined && { clearsLane }),
    ...(slots.length > 0 && { slots }),
    ...(escalations.length > 0 && { escalations }),
    ...(isFetched(happened) && { silencedBy: (happened.silences ?? []).map(({ id }) => id) }),
    ...(happened.kind === "event" && {
      decision: { seq: happened.entry.seq, text },
      offeredTo: happened.listeners.map(({ run: { id, version } }) => ({ id, version })),
    }),
  };
}
