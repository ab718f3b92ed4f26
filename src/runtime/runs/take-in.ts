import { messageOf } from "../../system/error-message.ts";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import { StoreError } from "../store/errors.ts";
import type { RunAndEntry } from "../store/run.ts";
import type { DecidePort } from "../store/store.ts";
import {
  type InputRef,
  isCommitted,
  type Transition,
  type TransitionResult,
} from "../store/transition.ts";
import type { Commit } from "./commit-batcher.ts";
import { wholeRun } from "./parallel/whole-run.ts";
import type { Interpret } from "./interpreter.ts";
import { type Interpretation, type LaneEvent, NOTHING } from "./lane-event.ts";
import { placeOf, writeAt } from "./run-place.ts";

/** Input that is being processed, with the lease that covers it. */
export interface InputInHand {
  readonly ref: InputRef;
  readonly lane: string;
  readonly partition: number;
  readonly epoch: number;
  /** Number of earlier attempts to process this input, all of which failed. */
  readonly attempts: number;
}

export interface TakeInNeeds {
  readonly interpret: Interpret;
  readonly commit: Commit;
  /**
   * Reads the runs that wait for events of a lane, its silences (pauses after escalations), and the branches of a run.
   */
  readonly store: Pick<DecidePort, "listeners" | "silences" | "runsOf">;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether the runtime has stopped, so that nothing is committed any more. */
  readonly isAbandoned: () => boolean;
  /** Called after a commit, with the input, its interpretation (the committed changes) and its outcome. */
  readonly onCommitted: (
    happened: LaneEvent,
    interpretation: Interpretation,
    outcome: Transition["outcome"],
  ) => void;
}

/**
 * Interprets an input and commits the resulting changes (runs, items, user state).
 *
 * @returns `true` when the lane may continue with its next input.
 * @throws {StoreError} when the store can't be read or written: nothing is wrong with the input.
 */
export type TakeIn = (happened: LaneEvent, hand: InputInHand) => Promise<boolean>;

/**
 * Delays between the attempts of a failing input, which stays first in its lane. After the last attempt it is
 * dead-lettered.
 */
const RETRY_DELAYS_MS = [1_000, 5_000, 30_000, 120_000] as const;

/** Number of earlier failures that makes an attempt the last: if the attempt fails too, the input is dead-lettered. */
export const LAST_ATTEMPT = RETRY_DELAYS_MS.length;

/**
 * Maximum number of immediate retries of a stale commit (another process has changed what was read). After that many
 * retries, the input is fetched again.
 */
const MAX_STALE = 100;

/**
 * Creates the function that interprets an input and commits the resulting changes. If another process has changed the
 * data that the interpretation read, the function interprets and commits again.
 */
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
      if (isCommitted(result)) {
        needs.onCommitted(happened, interpretation, "done");
        return true;
      }
      if (result === "stale" && stale < MAX_STALE && mayChange(happened, interpretation)) {
        // The effect that waits for its progress to be stored finds it by this object.
        if (!isFetched(happened)) continue;
        // Other work in the lane may have changed the waiting runs or the silences, so they are read again.
        const { lane } = hand;
        const silences = await needs.store.silences(lane);
        happened =
          happened.kind === "event"
            ? { ...happened, silences, listeners: await needs.store.listeners(lane) }
            : { ...happened, silences };
        continue;
      }
      await logUnstored(happened, hand, result, needs);
      return false;
    }
  };
}

/** Logs why a decision was not stored. Only this rare case costs a query. */
async function logUnstored(
  happened: LaneEvent,
  { ref: input, lane }: InputInHand,
  result: TransitionResult,
  { store, log }: TakeInNeeds,
): Promise<void> {
  const { seq } = happened.entry;
  const run = "run" in happened ? happened.run.id : undefined;
  if (run !== undefined && !(await store.runsOf(seq)).some(({ id }) => id === run)) {
    log.info({ run }, "a run has ended: its event was erased");
    return;
  }
  log.warn(
    { input, lane, result },
    "a decision was not stored: another process changed what it depends on",
  );
}

/** Whether another process can have changed the data read. An effect's outcome depends only on user state and slots. */
function mayChange(happened: LaneEvent, { state, slots }: Interpretation): boolean {
  return isFetched(happened) || state.length > 0 || slots.length > 0;
}

/** Whether the lane event was fetched from the store, together with the state of its lane. */
function isFetched({ kind }: LaneEvent): boolean {
  return kind === "event" || kind === "item-settled" || kind === "timer-due";
}

/** Failure caused by the input or by its changes, rather than by the store. */
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
    // A temporary failure of the store is not the input's fault.
    if (error instanceof StoreError && error.retryable) throw error;
    if (!isAbandoned())
      log.error(
        { err: error, input: ref, attempts },
        "deciding on an event or a run's next step failed",
      );
    return new Failure(error);
  }
}

/** Converts the error of a commit to a failure of its input, if no store accepts the data. Rethrows any other error. */
function unkeepable(error: unknown): Failure {
  if (error instanceof StoreError && error.code === "store-data") return new Failure(error);
  throw error;
}

/**
 * Schedules a retry of a failed input, or dead-letters it after its last attempt. The run that a dead-lettered input
 * would have continued fails.
 */
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
