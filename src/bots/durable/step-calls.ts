import { AsyncLocalStorage } from "node:async_hooks";
import { type FreshRequest, type FreshEntries, keyOf } from "./fresh-entries.ts";
import type { LateCallError } from "./late-call.ts";
import type { AskedChange, StateName } from "./record.ts";

/** The current step, also after an `await` in its function. */
const IN_STEP = new AsyncLocalStorage<StepCalls>();

/**
 * Returns the step whose function is running; undefined outside steps.
 *
 * @param handler Execution of the handler to which the step must belong.
 */
export function stepUnderWay(handler: object): StepCalls | undefined {
  const step = IN_STEP.getStore();
  return step?.handler === handler ? step : undefined;
}

/** Place and name of a step, and its enclosing step. */
interface StepPlace {
  readonly place: number;
  readonly name: string;
  readonly outer?: StepCalls | undefined;
}

/**
 * Calls of a step in progress. Their requests are stored in one transaction with the step's result, so an interrupted
 * step has requested nothing.
 */
export class StepCalls {
  /** Execution of the handler that runs the step. */
  readonly handler: object;
  readonly place: number;
  readonly name: string;
  readonly outer: StepCalls | undefined;
  /** Running nested steps, each as the error to report if this step does not await it. */
  readonly openSteps = new Set<LateCallError>();
  #pending: readonly FreshRequest[] = [];
  readonly #versions = new Map<string, ReadVersion>();
  #isOver = false;

  constructor(handler: object, { place, name, outer }: StepPlace) {
    this.handler = handler;
    this.place = place;
    this.name = name;
    this.outer = outer;
  }

  /** Whether the step's function has ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Runs `work` as the step's function. */
  async during<R>(work: () => Promise<R>): Promise<R> {
    try {
      return await IN_STEP.run(this, work);
    } finally {
      this.#isOver = true;
    }
  }

  add(fresh: FreshRequest): void {
    this.#pending = [...this.#pending, fresh];
  }

  hasRead(of: StateName, version: number): void {
    this.#versions.set(keyOf(of), { of, version });
  }

  /** Last change of a value by this step or an enclosing one. */
  changeOf(name: StateName): AskedChange | undefined {
    const changes = this.#pending.map(({ change }) => change);
    const own = changes.findLast((change) => change !== undefined && keyOf(change) === keyOf(name));
    return own ?? this.outer?.changeOf(name);
  }

  /** Takes the answers requested so far, because they are sent before the step ends. */
  takeAnswers(): readonly FreshRequest[] {
    const all = this.#pending;
    this.#pending = all.filter(({ action }) => action === undefined);
    return all.filter(({ action }) => action !== undefined);
  }

  /**
   * Takes all requests at the end of the step.
   *
   * @param fresh Receives the versions that the step has read, for optimistic locking of its changes.
   */
  takeAll(fresh: FreshEntries): readonly FreshRequest[] {
    const all = this.#pending;
    this.#pending = [];
    for (const { change } of all) {
      const read = change && this.outer?.overtake(keyOf(change));
      if (read !== undefined) fresh.hasRead(read.of, read.version);
    }
    for (const { of, version } of this.#versions.values()) fresh.hasRead(of, version);
    return all;
  }

  /**
   * Drops the changes of a value by this step and its enclosing steps. A nested step has changed the value since, and
   * that change is already stored.
   *
   * @param key Name such as `sender.orders`.
   * @returns The version of the value that was read.
   */
  overtake(key: string): ReadVersion | undefined {
    const further = this.outer?.overtake(key);
    const read = this.#versions.get(key);
    this.#versions.delete(key);
    this.#pending = this.#pending.filter(({ change }) => !change || keyOf(change) !== key);
    return read ?? further;
  }
}

/** Value of state with the version that was read. */
interface ReadVersion {
  readonly of: StateName;
  readonly version: number;
}
