import type { Action } from "../../actions/actions.ts";
import {
  type AskedAtOnce,
  type AskedFor,
  isWait,
  type Progress,
  type AskedChange,
  type AskedHandOver,
  type StateName,
  stepOf,
} from "./record.ts";

/** A call that is not recorded yet, with its action, state change or hand-over. */
interface Fresh {
  readonly entry: AskedFor;
  readonly action?: Action;
  readonly change?: AskedChange;
  readonly handOver?: AskedHandOver;
}

/** A call that requests something and returns at once. */
export interface FreshRequest extends Fresh {
  readonly entry: AskedAtOnce;
}

/** A handler's calls since its record was last stored. */
export class FreshEntries {
  readonly #places = new Map<number, Fresh>();
  /** Versions of user state at the time of the read, until the change that is based on the read is stored. */
  readonly #versions = new Map<string, number>();

  /** Whether an action, a state change or a hand-over is waiting to be stored. */
  get doesSomething(): boolean {
    return [...this.#places.values()].some(
      ({ action, change, handOver }) => action ?? change ?? handOver,
    );
  }

  add(place: number, fresh: Fresh): void {
    // reinserting keeps the changes in the order of the calls
    this.#places.delete(place);
    this.#places.set(place, fresh);
  }

  hasRead(name: StateName, version: number): void {
    this.#versions.set(keyOf(name), version);
  }

  /** Last change of a value that is not stored yet. */
  changeOf(name: StateName): AskedChange | undefined {
    const changes = [...this.#places.values()].map(({ change }) => change);
    return changes.findLast((change) => change !== undefined && keyOf(change) === keyOf(name));
  }

  /** Takes everything: the handler has ended or waits. */
  takeAll(): Progress {
    return this.#take(() => true);
  }

  /**
   * Takes the calls that can be stored while the handler goes on. A question is sent only once the run listens, so it
   * waits, and so do later answers. Exceptions, stored at once: actions of `sendNow` with the answers before them, and
   * actions of a step, which are stored with the step.
   */
  takeKeepable(): Progress {
    const all = [...this.#places];
    const listens = all.filter(([, { entry }]) => isWait(entry) && entry.kind !== "sleep");
    const leaves = all.filter(([, { entry }]) => entry.kind === "act" && entry.now === true);
    const first = Math.min(...listens.map(([place]) => place));
    const last = Math.max(...leaves.map(([place]) => place));
    return this.#take((place, { entry, action }) => {
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

  /** Adds the version that was read to the first change of a value; later changes build on that change. */
  #versioned(change: AskedChange): AskedChange {
    const version = this.#versions.get(keyOf(change));
    this.#versions.delete(keyOf(change));
    return version === undefined ? change : { ...change, version };
  }
}

/** Name of state in the record, such as `sender.orders`. */
export function keyOf({ of, name }: StateName): string {
  return `${of}.${name}`;
}
