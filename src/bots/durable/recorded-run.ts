import { UsageError } from "../../errors.ts";
import { FreshEntries, type FreshRequest } from "./fresh-entries.ts";
import { calledTooLate, type LateCallError, stepEndedBefore } from "./late-call.ts";
import {
  type HandlerRecord,
  lastSettled,
  type Progress,
  type StateName,
  type StateRead,
} from "./record.ts";
import { RecordedCalls, RecordError } from "./recorded-calls.ts";
import type { SendOutcome } from "./send-outcome.ts";
import { type StepCalls, stepUnderWay } from "./step-calls.ts";
import { UnderWay } from "./under-way.ts";

export interface RecorderNeeds {
  /** Record of the run as it was last stored. */
  readonly record: HandlerRecord;
  /** Start of the run, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Stores the calls that the handler has made since the record was last stored. */
  readonly keep: (progress: Progress) => Promise<void>;
  readonly read: (name: StateName) => Promise<StateRead>;
  /** Returns the outcome of the action at a place in the record, after at most `ms` milliseconds. */
  readonly outcome: (place: number, ms: number) => Promise<SendOutcome>;
  /** Called for a call or step that is still running after the handler has returned. */
  readonly onLate: (error: LateCallError) => void;
}

/** Execution of a handler, from its start to its end or next wait. It reads and extends the record of the run. */
export class RecordedRun {
  /** Resolves when the handler waits for something. Rejects when its calls don't match the record. */
  readonly stopped: Promise<void>;
  protected readonly needs: RecorderNeeds;
  protected readonly calls: RecordedCalls;
  protected readonly underWay: UnderWay;
  protected readonly fresh = new FreshEntries();
  #wait = (): void => {};
  #fail = (_error: Error): void => {};
  protected isOver = false;
  #hasReturned = false;
  /** Steps that are running. Each is represented by the error to report if the handler does not await it. */
  protected readonly openSteps = new Set<LateCallError>();
  #keeping: Promise<void> = Promise.resolve();

  constructor(needs: RecorderNeeds) {
    this.needs = needs;
    this.calls = new RecordedCalls(needs.record, () => this.underWay.delivered);
    this.underWay = new UnderWay(lastSettled(needs.record), () => {
      if (this.isOver) return;
      this.isOver = true;
      this.#wait();
    });
    this.stopped = new Promise((resolve, reject) => {
      this.#wait = resolve;
      this.#fail = reject;
    });
    // prevents an unhandled rejection: nothing awaits the promise during loading and after the handler's end
    this.stopped.catch(() => {});
  }

  /** Notes that a handler of the event begins. Its calls may have the same names as calls of earlier handlers. */
  beginHandler(): void {
    this.calls.beginHandler();
  }

  /** Whether the handler's next call is in the record, so its effects have already happened. False inside a step. */
  get isRepeating(): boolean {
    return this.calls.isRepeating && stepUnderWay(this) === undefined;
  }

  /** Whether the current call is made inside a step of this handler. @param call Name of the call, for an error. */
  isInStep(call: string): boolean {
    return this.stepHere(call) !== undefined;
  }

  /**
   * Refuses a wait within a step.
   *
   * @throws {UsageError} within a step: a step's function can't be suspended and run again.
   */
  mustBeBesideSteps(call: string): void {
    const step = this.stepHere(call);
    if (step === undefined) return;
    throw new UsageError(
      `${call} can't wait in ctx.step(${JSON.stringify(step.name)}): a step is done in one go, so put it before the step or after it`,
    );
  }

  /**
   * Ends the execution, and returns the calls made since the record was last stored. Later calls get no result.
   *
   * @param hasReturned Whether the handler has ended. A later call then means that an `await` is missing.
   */
  close({ hasReturned = false } = {}): Progress {
    this.isOver = true;
    this.#hasReturned = hasReturned;
    if (hasReturned) for (const error of this.openSteps) this.needs.onLate(error);
    return this.fresh.takeAll();
  }

  /** Checks that the handler has made all recorded calls. @throws {RecordError} if the record has more calls. */
  end(): void {
    this.guarded(() => this.calls.end());
  }

  /**
   * Returns the step of this handler in which a call is made; undefined outside steps.
   *
   * @throws {LateCallError} if this step has ended.
   */
  protected stepHere(call: string): StepCalls | undefined {
    const step = stepUnderWay(this);
    if (step?.isOver !== true) return step;
    const error = stepEndedBefore(call, step.name);
    this.needs.onLate(error);
    throw error;
  }

  /** Adds a call that returns at once and takes effect when it is stored. Does nothing if the call is in the record. */
  protected ask(fresh: FreshRequest, step: StepCalls | undefined): Promise<void> {
    const { kind, name } = fresh.entry;
    this.guarded(() => {
      if (step === undefined) {
        const { place, recordedEntry } = this.calls.take(kind, name);
        if (recordedEntry === undefined) this.fresh.add(place, fresh);
      } else if (this.calls.inStep(step.place, kind, name) === undefined) step.add(fresh);
    });
    return Promise.resolve();
  }

  /**
   * Moves requests of a step to the calls that are stored next.
   *
   * @returns The place of the last request.
   */
  protected give(step: StepCalls, all: readonly FreshRequest[]): number {
    let last = step.place;
    for (const { entry, ...fresh } of all) {
      last = this.guarded(() => this.calls.placeInStep());
      this.fresh.add(last, { entry: { ...entry, in: step.place }, ...fresh });
    }
    return last;
  }

  protected keep(): Promise<void> {
    // Progress is stored in sequence. Calls that are made during a write are stored by the next write.
    this.#keeping = this.#keepAfter(this.#keeping);
    return this.#keeping;
  }

  async #keepAfter(before: Promise<void>): Promise<void> {
    await before;
    if (this.isOver) return never();
    const progress = this.fresh.takeKeepable();
    if (progress.entries.length > 0) await this.needs.keep(progress);
  }

  /**
   * Result of a call after the end of the execution: an error if the handler has returned, else a promise that never
   * settles.
   */
  protected over<R>(call: string): Promise<R> {
    if (!this.#hasReturned) return never();
    const error = calledTooLate(call);
    this.needs.onLate(error);
    return Promise.reject(error);
  }

  /** Runs `call`. If it finds a mismatch with the record, the run fails, even if the handler catches the error. */
  protected guarded<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      if (error instanceof RecordError) this.#fail(error);
      throw error;
    }
  }
}

/** Returns a promise that never settles, for calls of an abandoned execution: the handler runs again from its start. */
export function never(): Promise<never> {
  return new Promise(() => {});
}
