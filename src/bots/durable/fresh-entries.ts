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

/** A call that is not on record yet, and what goes out with it. */
interface Fresh {
  readonly entry: AskedFor;
  readonly action?: Action;
  readonly change?: AskedChange;
  readonly handOver?: AskedHandOver;
}

/** A call that asks for something and goes on at once. */
export interface FreshRequest extends Fresh {
  readonly entry: AskedAtOnce;
}

/** What a handler has come to since its record was kept last. */
export class FreshEntries {
  readonly #places = new Map<number, Fresh>();
  /** Values of user state as they were read, until the change that goes by them is kept. */
  readonly #versions = new Map<string, number>();

  /** Something is to go out, or to be changed. */
  get doesSomething(): boolean {
    return [...this.#places.values()].some(
      ({ action, change, handOver }) => action ?? change ?? handOver,
    );
  }

  add(place: number, fresh: Fresh): void {
    // changes stand in the order in which they came
    this.#places.delete(place);
    this.#places.set(place, fresh);
  }

  hasRead(name: StateName, version: number): void {
    this.#versions.set(keyOf(name), version);
  }

  /** The last change of a value that is not kept yet. */
  changeOf(name: StateName): AskedChange | undefined {
    const changes = [...this.#places.values()].map(({ change }) => change);
    return changes.findLast((change) => change !== undefined && keyOf(change) === keyOf(name));
  }

  /** Everything, since the handler has ended or waits. */
  takeAll(): Progress {
    return this.#take(() => true);
  }

  /**
   * What can be kept while the handler goes on: a question leaves only once the run listens, and the handler's answers
   * stay behind it. What leaves at once does not wait for that, with the answers before it, nor does what a step has
   * asked for: it is kept with the step.
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
    const asked = [...this.#places].filter(([place, fresh]) => isWanted(place, fresh));
    for (const [place] of asked) this.#places.delete(place);
    const changes = asked
      .flatMap(([, { change }]) => change ?? [])
      .map((one) => this.#versioned(one));
    const wanted = asked.toSorted(([a], [b]) => a - b);
    const handOvers = wanted.flatMap(([, { handOver }]) => handOver ?? []);
    return {
      ...(handOvers.length > 0 && { handOvers }),
      entries: wanted.map(([place, { entry }]) => ({ place, entry })),
      actions: wanted.flatMap(([, { action }]) => action ?? []),
      changes,
    };
  }

  /** The first change of a value goes by what was read; the next ones by that change. */
  #versioned(change: AskedChange): AskedChange {
    const version = this.#versions.get(keyOf(change));
    this.#versions.delete(keyOf(change));
    return version === undefined ? change : { ...change, version };
  }
}

/** A name of state as the record has it: `sender.orders`. */
export function keyOf({ of, name }: StateName): string {
  return `${of}.${name}`;
}
