import type { Json } from "../../protocol/json.ts";
import { fingerprint } from "../expression/fingerprint.ts";
import { COUNT } from "../schema/state-keys.ts";

/** Maximum number of events stored per count, and so the highest number that a count reaches. */
export const MAX_COUNT = 1_000;

/** Counted event. Stored as `[at, event, person, reached]`; earlier versions stored only the first two. */
interface CountedEvent {
  /** Time of the event, in milliseconds since the epoch. */
  readonly at: number;
  /** Key of the event, which may contain the person's id; empty once the person's data is erased. */
  readonly event: string;
  /** Fingerprint of the person, so that the count holds no ids; empty if unknown. */
  readonly person: string;
  /** Number that the count reached with this event; 0 if the count did not rise to a new number. */
  readonly reached: number;
}

/** Result of counting an event. */
interface AddedTo {
  /** New value of the count, to store. */
  readonly value: Json;
  /** Number of events in the count's time window. */
  readonly count: number;
  /** Number of different people who caused these events. */
  readonly people: number;
  /** Keys of the events, oldest first. */
  readonly events: readonly string[];
  /** Whether the count rose to this number for the first time within the window. */
  readonly reached: boolean;
}

/**
 * Adds an event to the stored value of a count.
 *
 * A number counts as reached if the count was lower after the previous event, and only once per window. At a steady
 * rate of events, the count thus reaches a number once instead of with each event.
 */
export function addedTo(
  stored: Json | undefined,
  added: {
    readonly at: number;
    readonly event: string;
    readonly person: string;
    readonly windowMs: number;
  },
): AddedTo {
  const { at, event, windowMs } = added;
  const all = countedEvents(stored);
  const inWindow = all.filter((one) => one.at > at - windowMs);
  const before = inWindow.length === 0 ? 0 : all.length;
  const count = Math.min(inWindow.length + 1, MAX_COUNT);
  const reached = count > before && !inWindow.some((one) => one.reached === count);
  const own = { at, event, person: fingerprint(added.person), reached: reached ? count : 0 };
  const latestEvents = [...inWindow, own].slice(-MAX_COUNT);
  return {
    value: latestEvents.map((one) => [one.at, one.event, one.person, one.reached]),
    count,
    people: new Set(latestEvents.flatMap(({ person }) => (person === "" ? [] : [person]))).size,
    events: latestEvents.flatMap((one) => (one.event === "" ? [] : [one.event])),
    reached,
  };
}

/**
 * Returns how to find a person in stored counts: the prefix of the keys, and a text that each entry of the person contains.
 */
export function countedAs(person: string): { readonly prefix: string; readonly mark: string } {
  return { prefix: COUNT, mark: fingerprint(person) };
}

function countedEvents(stored: Json | undefined): readonly CountedEvent[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((one) => {
    if (!Array.isArray(one)) return [];
    const [at, event, person, reached] = one;
    if (typeof at !== "number" || typeof event !== "string") return [];
    return [
      {
        at,
        event,
        person: typeof person === "string" ? person : "",
        reached: typeof reached === "number" ? reached : 0,
      },
    ];
  });
}
