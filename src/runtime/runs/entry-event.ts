import type { AccountEvent } from "../../events/event.ts";
import { translate } from "../../events/translate.ts";
import type { Entry } from "../store/entry.ts";

/**
 * Parses the event that `entry` stores.
 *
 * @throws when the stored body no longer contains an event with the key of the entry.
 */
export function eventOf(entry: Entry): AccountEvent {
  const arrivals = translate(JSON.parse(entry.body), entry.arrivedAt);
  const match = arrivals.find(({ event }) => event.key === entry.key)?.event;
  if (match !== undefined) return match;
  throw new Error(`the stored body can't be read as the event ${entry.key}`);
}

/** Returns the parsed event of a journal entry. */
export type ReadEntry = (entry: Entry) => AccountEvent;

/** Reads entries and caches the events read last. */
export interface EventReader {
  readonly eventOf: ReadEntry;
  /** Caches an event that was parsed on arrival. */
  remember(event: AccountEvent): void;
}

/**
 * Maximum number of cached events. An answered message is read three times within a short time. A large backlog does
 * not fit into the cache and is read from disk.
 */
const MAX_CACHED = 2_048;

/**
 * Creates a reader with an empty cache. The cache saves time, because parsing a body takes as long as deciding on it.
 */
export function eventReader(mostAtHand = MAX_CACHED): EventReader {
  const atHand = new Map<string, AccountEvent>();
  const put = (name: string, event: AccountEvent): void => {
    atHand.set(name, event);
    if (atHand.size <= mostAtHand) return;
    for (const oldest of atHand.keys()) {
      atHand.delete(oldest);
      return;
    }
  };
  return {
    eventOf(entry) {
      const name = nameOf(entry.account, entry.key);
      const cached = atHand.get(name);
      if (cached !== undefined) return cached;
      const event = eventOf(entry);
      put(name, event);
      return event;
    },
    remember: (event) => put(nameOf(event.accountId, event.key), event),
  };
}

function nameOf(account: string, key: string): string {
  return `${account} ${key}`;
}

/** Whether the event arrived late, by replay or backfill. */
export function isLate({ source }: Entry): boolean {
  return source === "replay" || source === "backfill";
}
