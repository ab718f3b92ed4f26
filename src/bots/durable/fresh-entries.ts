import type { Action } from "../../actions/actions.ts";
import {
  type AskedFor,
  isWait,
  type Progress,
  type AskedChange,
  type AskedHandOver,
  type StateName,
} from "./record.ts";

/** A place of the record that is not kept yet, and what goes out with it. */
interface Fresh {
  readonly entry: AskedFor;
  readonly action?: Action;
  readonly change?: AskedChange;
  readonly handOver?: AskedHandOver;
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

  /** What can be kept while the handler goes on: a question leaves only once the run listens. */
  takeKeepable(): Progress {
    const listens = [...this.#places]
      .filter(([, { entry }]) => isWait(entry) && entry.kind !== "sleep")
      .map(([place]) => place);
    const first = Math.min(...listens);
    return this.#take((place, { entry, action }) =>
      place < first ? true : action === undefined && !isWait(entry),
    );
  }

  #take(isWanted: (place: number, fresh: Fresh) => boolean): Progress {
    const wanted = [...this.#places]
      .filter(([place, fresh]) => isWanted(place, fresh))
      .sort(([a], [b]) => a - b);
    for (const [place] of wanted) this.#places.delete(place);
    const changes = wanted
      .flatMap(([, { change }]) => change ?? [])
      .map((one) => this.#versioned(one));
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

function keyOf({ of, name }: StateName): string {
  return `${of}.${name}`;
}
