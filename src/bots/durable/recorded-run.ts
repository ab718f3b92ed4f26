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
  /** Record of the run that was stored before. */
  readonly record: HandlerRecord;
  /** When the run was started, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Keeps what has come since. */
  readonly keep: (progress: Progress) => Promise<void>;
  readonly read: (name: StateName) => Promise<StateRead>;
  /** What has become of the action at a place of the record, within `ms` milliseconds. */
  readonly outcome: (place: number, ms: number) => Promise<SendOutcome>;
  /** Something of the handler went on after it had returned. */
  readonly onLate: (error: LateCallError) => void;
}

/** One time that a handler is run, from its start to its end or its next wait: its record, and what is put into it. */
export class RecordedRun {
  /** Resolves when the handler waits for something; rejects when it can't go on with its record. */
  readonly stopped: Promise<void>;
  protected readonly needs: RecorderNeeds;
  protected readonly calls: RecordedCalls;
  protected readonly underWay: UnderWay;
  protected readonly fresh = new FreshEntries();
  #wait = (): void => {};
  #fail = (_error: Error): void => {};
  protected isOver = false;
  #hasReturned = false;
  /** Steps that have not ended, each with what is told if the handler does not wait for it. */
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
    // nobody waits for it while a handler is loaded or has ended
    this.stopped.catch(() => {});
  }

  /** What comes now is on record: it has been done before. */
  get isRepeating(): boolean {
    return this.calls.isRepeating && stepUnderWay(this) === undefined;
  }

  /** Whether something is called in a step of this handler: what comes of it is kept with the step. */
  isInStep(call: string): boolean {
    return this.stepHere(call) !== undefined;
  }

  /** @throws {UsageError} in a step: its function is not left and begun again. */
  mustBeBesideSteps(call: string): void {
    const step = this.stepHere(call);
    if (step === undefined) return;
    throw new UsageError(
      `${call} can't wait in ctx.step(${JSON.stringify(step.name)}): a step is done in one go, so put it before the step or after it`,
    );
  }

  /**
   * What has come since the record was kept last. The handler gets nothing more.
   *
   * @param hasReturned It has come to its end: who calls later has forgotten to wait.
   */
  close({ hasReturned = false } = {}): Progress {
    this.isOver = true;
    this.#hasReturned = hasReturned;
    if (hasReturned) for (const error of this.openSteps) this.needs.onLate(error);
    return this.fresh.takeAll();
  }

  /** @throws {RecordError} when the record goes on. */
  end(): void {
    this.guarded(() => this.calls.end());
  }

  /**
   * The step of this handler in which something is called; undefined beside its steps.
   *
   * @throws {LateCallError} where that step has ended.
   */
  protected stepHere(call: string): StepCalls | undefined {
    const step = stepUnderWay(this);
    if (step?.isOver !== true) return step;
    const error = stepEndedBefore(call, step.name);
    this.needs.onLate(error);
    throw error;
  }

  /** Something is asked for, and nobody waits for what becomes of it. */
  protected ask(fresh: FreshRequest, step: StepCalls | undefined): Promise<void> {
    const { kind, name } = fresh.entry;
    this.guarded(() => {
      if (step === undefined) {
        const { place, known } = this.calls.take(kind, name);
        if (known === undefined) this.fresh.add(place, fresh);
      } else if (this.calls.inStep(step.place, kind, name) === undefined) step.add(fresh);
    });
    return Promise.resolve();
  }

  /**
   * Puts what a step has asked for among what is to be kept.
   *
   * @returns The place of the last of it.
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
    // one after the other, and what has come meanwhile goes with the next
    this.#keeping = this.#keepAfter(this.#keeping);
    return this.#keeping;
  }

  async #keepAfter(before: Promise<void>): Promise<void> {
    await before;
    if (this.isOver) return never();
    const progress = this.fresh.takeKeepable();
    if (progress.entries.length > 0) await this.needs.keep(progress);
  }

  /** Nothing comes of it: the handler has returned, or it is run again. */
  protected over<R>(call: string): Promise<R> {
    if (!this.#hasReturned) return never();
    const error = calledTooLate(call);
    this.needs.onLate(error);
    return Promise.reject(error);
  }

  /** What is wrong with the record fails the run, whether or not the handler catches it. */
  protected guarded<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      if (error instanceof RecordError) this.#fail(error);
      throw error;
    }
  }
}

/** What waits in a handler that has ended: it is run again from its start. */
export function never(): Promise<never> {
  return new Promise(() => {});
}
