import { AsyncLocalStorage } from "node:async_hooks";
import { type FreshRequest, type FreshEntries, keyOf } from "./fresh-entries.ts";
import type { LateCallError } from "./late-call.ts";
import type { AskedChange, StateName, StateRead } from "./record.ts";

/** Step whose function is running. It is still known after an `await` in the function. */
const IN_STEP = new AsyncLocalStorage<StepCalls>();

/**
 * Returns the step whose function is running; undefined outside steps.
 *
 * @param handler Execution of a handler. A step of another execution is ignored.
 */
export function stepUnderWay(handler: object): StepCalls | undefined {
  const step = IN_STEP.getStore();
  return step?.handler === handler ? step : undefined;
}

/** Place and name of a step, and the step that encloses it. */
interface StepPlace {
  readonly place: number;
  readonly name: string;
  readonly outer?: StepCalls | undefined;
}

/**
 * A running step, and the requests of its calls. The requests are stored in one transaction with the step's result. A
 * step that is interrupted has therefore requested nothing.
 */
export class StepCalls {
  /** Execution of the handler to which the step belongs. */
  readonly handler: object;
  readonly place: number;
  readonly name: string;
  readonly outer: StepCalls | undefined;
  /** Nested steps that are running. Each is represented by the error to report if this step does not await it. */
  readonly openSteps = new Set<LateCallError>();
  #pending: readonly FreshRequest[] = [];
  readonly #reads = new Map<string, ReadValue>();
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

  /** Runs `work` as the function of this step. */
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

  hasRead(of: StateName, read: StateRead): void {
    this.#reads.set(keyOf(of), { of, read });
  }

  /** Returns the latest change of a value by this step, or else by an enclosing step. */
  changeOf(name: StateName): AskedChange | undefined {
    const changes = this.#pending.map(({ change }) => change);
    const own = changes.findLast((change) => change !== undefined && keyOf(change) === keyOf(name));
    return own ?? this.outer?.changeOf(name);
  }

  /** Removes and returns the actions requested so far. Called when they are to be sent before the step ends. */
  takeAnswers(): readonly FreshRequest[] {
    const all = this.#pending;
    this.#pending = all.filter(({ action }) => action === undefined);
    return all.filter(({ action }) => action !== undefined);
  }

  /**
   * Removes and returns all requests, at the end of the step.
   *
   * @param fresh Gets the values that the step has read, whose versions are used for optimistic locking. A value that
   * the handler has read before the step is replaced only if the step has changed the value.
   */
  takeAll(fresh: FreshEntries): readonly FreshRequest[] {
    const all = this.#pending;
    this.#pending = [];
    for (const { change } of all) {
      if (change === undefined) continue;
      const outer = this.outer?.overtake(keyOf(change));
      const own = this.#reads.get(keyOf(change)) ?? outer;
      if (own !== undefined) fresh.hasRead(own.of, own.read);
    }
    for (const { of, read } of this.#reads.values()) {
      if (fresh.readOf(of) === undefined) fresh.hasRead(of, read);
    }
    return all;
  }

  /**
   * Drops the changes of a value by this step and its enclosing steps. Called when a nested step has changed the value
   * later.
   *
   * @param key Name such as `sender.orders`.
   * @returns The value that was read.
   */
  overtake(key: string): ReadValue | undefined {
    const further = this.outer?.overtake(key);
    const read = this.#reads.get(key);
    this.#reads.delete(key);
    this.#pending = this.#pending.filter(({ change }) => !change || keyOf(change) !== key);
    return read ?? further;
  }
}

/** Stored value that a step has read. */
interface ReadValue {
  readonly of: StateName;
  readonly read: StateRead;
}
