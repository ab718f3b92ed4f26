import { AsyncLocalStorage } from "node:async_hooks";
import { type FreshRequest, type FreshEntries, keyOf } from "./fresh-entries.ts";
import type { LateCallError } from "./late-call.ts";
import type { AskedChange, StateName } from "./record.ts";

/** The step in whose function something is called, also after an `await` in it. */
const IN_STEP = new AsyncLocalStorage<StepCalls>();

/**
 * The step in whose function this is called; undefined beside all steps.
 *
 * @param handler The run of the handler that the step must be of.
 */
export function stepUnderWay(handler: object): StepCalls | undefined {
  const step = IN_STEP.getStore();
  return step?.handler === handler ? step : undefined;
}

/** The place of a step in the record, and what it is known by. */
interface StepPlace {
  readonly place: number;
  readonly name: string;
  /** The step in which this one is done. */
  readonly outer?: StepCalls | undefined;
}

/**
 * The calls that a step makes while it is done. They belong to the step: what they ask for is kept in one transaction
 * with its result, so a step that is cut off has asked for nothing.
 */
export class StepCalls {
  /** The run of the handler that does the step. */
  readonly handler: object;
  readonly place: number;
  readonly name: string;
  readonly outer: StepCalls | undefined;
  /** Steps in this one that have not ended, each with what is told if this one does not wait for it. */
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

  /** Its function has ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Does the step: what is called within `work` is known by it. */
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

  /** The last change of a value that this step, or one around it, has asked for. */
  changeOf(name: StateName): AskedChange | undefined {
    const changes = this.#pending.map(({ change }) => change);
    const own = changes.findLast((change) => change !== undefined && keyOf(change) === keyOf(name));
    return own ?? this.outer?.changeOf(name);
  }

  /** Takes the answers that were asked for so far: they leave before the step ends. */
  takeAnswers(): readonly FreshRequest[] {
    const all = this.#pending;
    this.#pending = all.filter(({ action }) => action === undefined);
    return all.filter(({ action }) => action !== undefined);
  }

  /**
   * Takes all that was asked for: the step has ended.
   *
   * @param fresh Told of what was read: the changes hold only if it is still so.
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
   * Gives up what this step, and those around it, have changed of a value: a step in this one has changed it since, and
   * that is kept already.
   *
   * @param key Such as `sender.orders`.
   * @returns What was read of the value.
   */
  overtake(key: string): ReadVersion | undefined {
    const further = this.outer?.overtake(key);
    const read = this.#versions.get(key);
    this.#versions.delete(key);
    this.#pending = this.#pending.filter(({ change }) => !change || keyOf(change) !== key);
    return read ?? further;
  }
}

/** A value of state, and its version when it was read. */
interface ReadVersion {
  readonly of: StateName;
  readonly version: number;
}
