import type { Action } from "../../actions/actions.ts";
import {
  type AskedAtOnce,
  type AskedFor,
  isWait,
  type Progress,
  type AskedChange,
  type AskedHandOver,
  type StateName,
  type StateRead,
  stepOf,
} from "./record.ts";

/** A call that is not stored yet, with the action, state change or hand-over that it requests. */
interface Fresh {
  readonly entry: AskedFor;
  readonly action?: Action;
  readonly change?: AskedChange;
  readonly handOver?: AskedHandOver;
  /** Whether the call must not be stored before a later one. Absent: never. */
  readonly isHeld?: () => boolean;
}

/** A call that requests an action, a state change or a hand-over, and returns before that takes effect. */
export interface FreshRequest extends Fresh {
  readonly entry: AskedAtOnce;
}

/** Calls that a handler has made since its record was last stored. */
export class FreshEntries {
  readonly #places = new Map<number, Fresh>();
  /** Stored values that the handler has read, by name, until the first later change is stored. */
  readonly #reads = new Map<string, StateRead>();

  /** Whether an action, a state change or a hand-over has not been stored yet. */
  get doesSomething(): boolean {
    return [...this.#places.values()].some(
      ({ action, change, handOver }) => action ?? change ?? handOver,
    );
  }

  add(place: number, fresh: Fresh): void {
    // deleted first, so that the map's order, and with it the order of state changes, is that of the latest calls
    this.#places.delete(place);
    this.#places.set(place, fresh);
  }

  hasRead(name: StateName, read: StateRead): void {
    this.#reads.set(keyOf(name), read);
  }

  /** Returns the value that the handler has read, unless the handler has changed the value since. */
  readOf(name: StateName): StateRead | undefined {
    return this.#reads.get(keyOf(name));
  }

  /** Returns the latest change of a value that is not stored yet. */
  changeOf(name: StateName): AskedChange | undefined {
    const changes = [...this.#places.values()].map(({ change }) => change);
    return changes.findLast((change) => change !== undefined && keyOf(change) === keyOf(name));
  }

  /** Removes and returns all calls. Called when the handler has ended or waits. */
  takeAll(): Progress {
    return this.#take(() => true);
  }

  /**
   * Removes and returns the calls that can be stored while the handler is running. A question must not be sent before
   * the run waits for its answer, so a question and the actions after it stay here. Exceptions: actions of `sendNow`,
   * the actions before them, and actions of a step are returned even after a question.
   *
   * The read of an `update` stays here until its change is there: the change would else have no version when the
   * handler runs again, and could overwrite a later value.
   */
  takeKeepable(): Progress {
    const all = [...this.#places];
    const listens = all.filter(([, { entry }]) => isWait(entry) && entry.kind !== "sleep");
    const leaves = all.filter(([, { entry }]) => entry.kind === "act" && entry.now === true);
    const first = Math.min(...listens.map(([place]) => place));
    const last = Math.max(...leaves.map(([place]) => place));
    return this.#take((place, { entry, action, isHeld }) => {
      if (isHeld?.() === true) return false;
      if (place < first) return true;
      if (isWait(entry)) return false;
      return action === undefined || stepOf(entry) !== undefined || place <= last;
    });
  }

  #take(isWanted: (place: number, fresh: Fresh) => boolean): Progress {
    const takenRequests = [...this.#places].filter(([place, fresh]) => isWanted(place, fresh));
    for (const [place] of takenRequests) this.#places.delete(place);
    const changes = takenRequests
      .flatMap(([, { change }]) => change ?? [])
      .map((one) => this.#versioned(one));
    const wanted = takenRequests.toSorted(([a], [b]) => a - b);
    const handOvers = wanted.flatMap(([, { handOver }]) => handOver ?? []);
    return {
      ...(handOvers.length > 0 && { handOvers }),
      entries: wanted.map(([place, { entry }]) => ({ place, entry })),
      actions: wanted.flatMap(([, { action }]) => action ?? []),
      changes,
    };
  }

  /** Adds the version that the handler read to its first change of a value. Its later changes need no version. */
  #versioned(change: AskedChange): AskedChange {
    const read = this.#reads.get(keyOf(change));
    this.#reads.delete(keyOf(change));
    return read === undefined ? change : { ...change, version: read.version };
  }
}

/** Returns the name of a value in the record, such as `sender.orders`. */
export function keyOf({ of, name }: StateName): string {
  return `${of}.${name}`;
}
