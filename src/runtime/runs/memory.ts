import type { Json } from "../../protocol/json.ts";
import { holdersAsJson } from "../../rules/decide.ts";
import { isSlot } from "../../rules/user-state.ts";
import type { ReadState } from "../../rules/evaluate.ts";
import type { RememberedValue } from "../../rules/run.ts";
import type { DecidePort } from "../store/store.ts";
import type { StoredRun } from "../store/run.ts";
import type { SlotSeen, StateValue, StateWrite } from "../store/transition.ts";

/**
 * User state as one transition sees it: the values that it has read, with its own changes applied. Optimistic locking:
 * if another process changes a value that the transition changes, too, the transition is stale and everything is
 * decided again.
 */
export interface Memory {
  readonly read: ReadState;
  /** Whether a value was requested that is not read yet. Results without it are wrong, and are computed again. */
  readonly isUnread: () => boolean;
  /** Reads values that are certain to be needed, in one query to the store. */
  readonly load: (keys: readonly string[]) => Promise<void>;
  write(value: RememberedValue): void;
  /** Returns the version of a value that was read; 0 for no value. The transition's own changes do not count. */
  versionOf(key: string): number;
  /** Returns a copy whose later changes stay in the copy, to try out what would follow. */
  apart(): Memory;
  /** Returns the open runs that hold a slot (concurrency limit), as stored. Call {@link read} for the slot first. */
  holders(slot: string): readonly StoredRun[];
  /** Returns the open runs that an entry started. The first call returns none, and `work` runs again with them. */
  runsOf(seq: number): readonly StoredRun[];
  /** Returns the slots that were read, with their holders. If the holders change, the transition is stale. */
  slots(): readonly SlotSeen[];
  /** Returns the values that the transition stores. */
  writes(): readonly StateWrite[];
  /** Ends a run and its branches, each at its current step. */
  end(runs: readonly StoredRun[], reason: string): void;
  /** Returns the runs that {@link end} was called for. */
  ended(): readonly EndedRuns[];
}

/** Run and its branches that steps of other runs have ended, with the reason. */
export interface EndedRuns {
  readonly runs: readonly StoredRun[];
  readonly reason: string;
}

/** Methods of the store that read user state, slots and open runs. */
export type RememberPort = Pick<DecidePort, "load" | "slots" | "runsOf">;

/**
 * Runs `work` on user state. If `work` requests values that have not been read, reads them and runs `work` again. Most
 * work needs no repetition.
 */
export async function remembering<T>(
  store: RememberPort,
  now: number,
  work: (memory: Memory) => T | Promise<T>,
): Promise<T> {
  const cache: Known = { values: new Map(), holders: new Map(), runs: new Map() };
  const load = async (keys: readonly string[]): Promise<void> => {
    const unknown = keys.filter((key) => !cache.values.has(key));
    const names = unknown.filter(isSlot);
    const others = unknown.filter((key) => !isSlot(key));
    if (others.length > 0) {
      const values = await store.load(others);
      for (const key of others) cache.values.set(key, values.get(key));
    }
    if (names.length > 0) {
      const bySlot = await store.slots(names);
      for (const name of names) {
        const runs = bySlot.get(name) ?? [];
        cache.holders.set(name, runs);
        cache.values.set(name, slotValue(runs));
      }
    }
  };
  for (;;) {
    const missing: Missing = { keys: new Set(), entries: new Set() };
    const result = await work(memoryOf(cache, missing, load, now));
    if (missing.keys.size + missing.entries.size === 0) return result;
    await load([...missing.keys]);
    for (const seq of missing.entries) cache.runs.set(seq, await store.runsOf(seq));
  }
}

/** Values read so far. */
interface Known {
  readonly values: Map<string, StateValue | undefined>;
  readonly holders: Map<string, readonly StoredRun[]>;
  /** Open runs, by the entry that started them. */
  readonly runs: Map<number, readonly StoredRun[]>;
}

/** Values and runs that `work` has requested and that are not in the cache yet. */
interface Missing {
  readonly keys: Set<string>;
  readonly entries: Set<number>;
}

/** Returns the runs that hold a slot in the form of a stored value, so that rules read slots like user state. */
export function slotValue(runs: readonly StoredRun[]): StateValue {
  const holders = runs.map(({ id, queues = false }) => ({ run: id, queues }));
  return { value: JSON.stringify(holdersAsJson(holders)), version: 0 };
}

function memoryOf(
  cache: Known,
  missing: Missing,
  load: Memory["load"],
  now: number,
  changed = new Map<string, RememberedValue>(),
  slots = new Set<string>(),
  ended: EndedRuns[] = [],
): Memory {
  const { values, holders } = cache;
  return {
    isUnread: () => missing.keys.size + missing.entries.size > 0,
    async load(keys) {
      await load(keys);
      for (const key of keys) missing.keys.delete(key);
    },
    apart: () => memoryOf(cache, missing, load, now, new Map(changed), new Set(slots), [...ended]),
    read(key) {
      if (isSlot(key)) slots.add(key);
      const change = changed.get(key);
      if (change !== undefined) return change.value;
      if (!values.has(key)) missing.keys.add(key);
      return valueOf(values.get(key), now);
    },
    write(value) {
      if (!values.has(value.key)) missing.keys.add(value.key);
      changed.set(value.key, value);
    },
    versionOf(key) {
      if (!values.has(key)) missing.keys.add(key);
      return values.get(key)?.version ?? 0;
    },
    holders: (slot) => holders.get(slot) ?? [],
    runsOf(seq) {
      const runs = cache.runs.get(seq);
      if (runs === undefined) missing.entries.add(seq);
      return runs ?? [];
    },
    slots: () =>
      [...slots].map((slot) => ({
        slot,
        runs: (holders.get(slot) ?? []).map(({ id, queues }) =>
          queues === undefined ? { id } : { id, queues },
        ),
      })),
    end: (runs, reason) => void ended.push({ runs, reason }),
    ended: () => ended,
    writes: () =>
      [...changed.values()]
        .filter(({ key }) => !isSlot(key))
        .map(({ key, value, expiresAt }) => ({
          key,
          value: value === undefined ? null : JSON.stringify(value),
          version: values.get(key)?.version ?? 0,
          ...(expiresAt === undefined ? {} : { expiresAt }),
        })),
  };
}

/** Returns the parsed value unless it has expired. */
export function valueOf(stored: StateValue | undefined, now: number): Json | undefined {
  if (stored === undefined || (stored.expiresAt !== undefined && now >= stored.expiresAt)) {
    return undefined;
  }
  const value: Json = JSON.parse(stored.value);
  return value;
}
