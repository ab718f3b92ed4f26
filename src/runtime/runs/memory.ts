import type { Json } from "../../protocol/json.ts";
import type { ReadState } from "../../rules/decide/state-view.ts";
import type { RememberedValue } from "../../rules/run/step.ts";
import type { DecidePort } from "../store/store.ts";
import type { StateValue, StateWrite } from "../store/transition.ts";

/**
 * User state as one transition sees it: what was read, with what the transition itself has changed since.
 * What somebody else changes meanwhile makes the transition stale, and all is decided anew.
 */
export interface Memory {
  readonly read: ReadState;
  /** Reads what is sure to be asked for, at once. */
  load(keys: readonly string[]): Promise<void>;
  write(value: RememberedValue): void;
  /** The version of a value that was read; 0 where there is none. What the transition itself changes does not count. */
  versionOf(key: string): number;
  /** The same without what is changed from now on: to see what would follow from something. */
  apart(): Memory;
  /** What the transition is to keep. */
  writes(): readonly StateWrite[];
}

/** Works with user state until no value is asked for that was not read: most work asks for none. */
export async function remembering<T>(
  store: Pick<DecidePort, "load">,
  now: number,
  work: (memory: Memory) => T | Promise<T>,
): Promise<T> {
  const known = new Map<string, StateValue | undefined>();
  const load = async (keys: readonly string[]): Promise<void> => {
    const unknown = keys.filter((key) => !known.has(key));
    if (unknown.length === 0) return;
    const found = await store.load(unknown);
    for (const key of unknown) known.set(key, found.get(key));
  };
  for (;;) {
    const missing = new Set<string>();
    const result = await work(memoryOf(known, missing, load, now));
    if (missing.size === 0) return result;
    await load([...missing]);
  }
}

function memoryOf(
  known: ReadonlyMap<string, StateValue | undefined>,
  missing: Set<string>,
  load: Memory["load"],
  now: number,
  changed = new Map<string, RememberedValue>(),
): Memory {
  return {
    load,
    apart: () => memoryOf(known, missing, load, now, new Map(changed)),
    read(key) {
      const change = changed.get(key);
      if (change !== undefined) return change.value;
      if (!known.has(key)) missing.add(key);
      return valueOf(known.get(key), now);
    },
    write(value) {
      if (!known.has(value.key)) missing.add(value.key);
      changed.set(value.key, value);
    },
    versionOf(key) {
      if (!known.has(key)) missing.add(key);
      return known.get(key)?.version ?? 0;
    },
    writes: () =>
      [...changed.values()].map(({ key, value, expiresAt }) => ({
        key,
        value: value === undefined ? null : JSON.stringify(value),
        version: known.get(key)?.version ?? 0,
        ...(expiresAt === undefined ? {} : { expiresAt }),
      })),
  };
}

/** A value that has not expired. */
function valueOf(found: StateValue | undefined, now: number): Json | undefined {
  if (found === undefined || (found.expiresAt !== undefined && now >= found.expiresAt)) {
    return undefined;
  }
  const value: Json = JSON.parse(found.value);
  return value;
}
