import type { Json } from "../../protocol/json.ts";
import { fingerprint } from "../expression/fingerprint.ts";
import { COUNT } from "../schema/state-keys.ts";

/** Most events that are kept of one count: a higher number can't be told from this one. */
const MAX_EVENTS = 1_000;

/** A counted event, as it is stored: `[at, event, person, reached]`. Earlier versions stored the first two alone. */
interface CountedEvent {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Key of the event, which may name the person; empty once the person is forgotten. */
  readonly event: string;
  /** Fingerprint of the person, so that the value of many people holds no id; empty where it is not known. */
  readonly person: string;
  /** The number that the count reached with this event; 0 where it had not been below. */
  readonly reached: number;
}

/** A count after one more event. */
interface AddedTo {
  /** What is to be stored. */
  readonly value: Json;
  /** Events in the window. */
  readonly count: number;
  /** Different people who caused them. */
  readonly people: number;
  /** Keys of the events, oldest first. */
  readonly events: readonly string[];
  /** Whether the count rose to this number, which it had not reached within the window before. */
  readonly reached: boolean;
}

/**
 * Adds an event to what is stored of a count.
 *
 * The number counts as reached where the count was lower after the event before, and once in a window: a steady pace at
 * the number reaches it once.
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
  const count = Math.min(inWindow.length + 1, MAX_EVENTS);
  const reached = count > before && !inWindow.some((one) => one.reached === count);
  const own = { at, event, person: fingerprint(added.person), reached: reached ? count : 0 };
  const kept = [...inWindow, own].slice(-MAX_EVENTS);
  return {
    value: kept.map((one) => [one.at, one.event, one.person, one.reached]),
    count,
    people: new Set(kept.flatMap(({ person }) => (person === "" ? [] : [person]))).size,
    events: kept.flatMap((one) => (one.event === "" ? [] : [one.event])),
    reached,
  };
}

/**
 * Names of a person in stored counts: the beginning of their keys, and a text that each of the person's entries
 * holds.
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
