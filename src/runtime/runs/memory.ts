import type { Json } from "../../protocol/json.ts";
import { holdersAsJson } from "../../rules/decide.ts";
import { isSlot } from "../../rules/user-state.ts";
import type { ReadState } from "../../rules/evaluate.ts";
import type { RememberedValue } from "../../rules/run.ts";
import type { DecidePort } from "../store/store.ts";
import type { StoredRun } from "../store/run.ts";
import type { SlotSeen, StateValue, StateWrite } from "../store/transition.ts";

/**
 * User state as one transition sees it: what was read, with what the transition itself has changed since.
 * What somebody else changes meanwhile makes the transition stale, and all is decided anew.
 */
export interface Memory {
  readonly read: ReadState;
  /** Whether something was asked for that has not been read: what was made of it is to be made anew. */
  readonly isUnread: () => boolean;
  /** Reads what is sure to be asked for, at once. */
  readonly load: (keys: readonly string[]) => Promise<void>;
  write(value: RememberedValue): void;
  /** The version of a value that was read; 0 where there is none. What the transition itself changes does not count. */
  versionOf(key: string): number;
  /** The same without what is changed from now on: to see what would follow from something. */
  apart(): Memory;
  /** The open runs that hold a slot, as the store has them. Their names are read like other values. */
  holders(slot: string): readonly StoredRun[];
  /** The open runs that an entry has started. They are read like values; none as long as they are not. */
  runsOf(seq: number): readonly StoredRun[];
  /** The slots that were read: the transition goes by them. */
  slots(): readonly SlotSeen[];
  /** What the transition is to keep. */
  writes(): readonly StateWrite[];
  /** Ends runs that belong together, where they are. */
  end(runs: readonly StoredRun[], reason: string): void;
  /** The runs that are to end in the transition. */
  ended(): readonly EndedRuns[];
}

/** Runs that belong together and are to end, and why. */
export interface EndedRuns {
  readonly runs: readonly StoredRun[];
  readonly reason: string;
}

/** What user state and slots are read from. */
export type RememberPort = Pick<DecidePort, "load" | "slots" | "runsOf">;

/** Works with user state until no value is asked for that was not read: most work asks for none. */
export async function remembering<T>(
  store: RememberPort,
  now: number,
  work: (memory: Memory) => T | Promise<T>,
): Promise<T> {
  const known: Known = { values: new Map(), holders: new Map(), runs: new Map() };
  const load = async (keys: readonly string[]): Promise<void> => {
    const unknown = keys.filter((key) => !known.values.has(key));
    const names = unknown.filter(isSlot);
    const others = unknown.filter((key) => !isSlot(key));
    if (others.length > 0) {
      const found = await store.load(others);
      for (const key of others) known.values.set(key, found.get(key));
    }
    if (names.length > 0) {
      const found = await store.slots(names);
      for (const name of names) {
        const runs = found.get(name) ?? [];
        known.holders.set(name, runs);
        known.values.set(name, slotValue(runs));
      }
    }
  };
  for (;;) {
    const missing: Missing = { keys: new Set(), entries: new Set() };
    const result = await work(memoryOf(known, missing, load, now));
    if (missing.keys.size + missing.entries.size === 0) return result;
    await load([...missing.keys]);
    for (const seq of missing.entries) known.runs.set(seq, await store.runsOf(seq));
  }
}

/** What was read. */
interface Known {
  readonly values: Map<string, StateValue | undefined>;
  readonly holders: Map<string, readonly StoredRun[]>;
  /** Open runs, by the entry that started them. */
  readonly runs: Map<number, readonly StoredRun[]>;
}

/** What was asked for and has not been read. */
interface Missing {
  readonly keys: Set<string>;
  readonly entries: Set<number>;
}

/** Those who hold a slot, as a value that is read like user state. */
export function slotValue(runs: readonly StoredRun[]): StateValue {
  const holders = runs.map(({ id, queues = false }) => ({ run: id, queues }));
  return { value: JSON.stringify(holdersAsJson(holders)), version: 0 };
}

function memoryOf(
  known: Known,
  missing: Missing,
  load: Memory["load"],
  now: number,
  changed = new Map<string, RememberedValue>(),
  slots = new Set<string>(),
  ended: EndedRuns[] = [],
): Memory {
  const { values, holders } = known;
  return {
    isUnread: () => missing.keys.size + missing.entries.size > 0,
    async load(keys) {
      await load(keys);
      for (const key of keys) missing.keys.delete(key);
    },
    apart: () => memoryOf(known, missing, load, now, new Map(changed), new Set(slots), [...ended]),
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
      const runs = known.runs.get(seq);
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

/** A value that has not expired. */
export function valueOf(found: StateValue | undefined, now: number): Json | undefined {
  if (found === undefined || (found.expiresAt !== undefined && now >= found.expiresAt)) {
    return undefined;
  }
  const value: Json = JSON.parse(found.value);
  return value;
}
