import type { AccountEvent } from "../../events/event.ts";
import { translate } from "../../events/translate.ts";
import type { Entry } from "../store/entry.ts";

/**
 * The event that `entry` keeps.
 *
 * @throws when its body no longer gives an event with its key.
 */
export function eventOf(entry: Entry): AccountEvent {
  const arrivals = translate(JSON.parse(entry.body), entry.arrivedAt);
  const found = arrivals.find(({ event }) => event.key === entry.key)?.event;
  if (found !== undefined) return found;
  throw new Error(`the stored body no longer gives the event ${entry.key}`);
}

/** The event that an entry keeps. */
export type ReadEntry = (entry: Entry) => AccountEvent;

/** Reads entries, and remembers the events of those that were at hand last. */
export interface EventReader {
  readonly eventOf: ReadEntry;
  /** Keeps an event at hand that was read when it came in. */
  remember(event: AccountEvent): void;
}

/** An answered message is looked at three times within moments; a backlog is read from disk anyway. */
const MOST_AT_HAND = 2_048;

/** A reader that has nothing at hand yet: parsing a body costs as much as deciding on it. */
export function eventReader(mostAtHand = MOST_AT_HAND): EventReader {
  const atHand = new Map<string, AccountEvent>();
  const put = (name: string, event: AccountEvent): void => {
    // The one that was put there last is dropped last.
    atHand.delete(name);
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
      const event = atHand.get(name) ?? eventOf(entry);
      put(name, event);
      return event;
    },
    remember: (event) => put(nameOf(event.accountId, event.key), event),
  };
}

function nameOf(account: string, key: string): string {
  return `${account} ${key}`;
}

/** Whether the event came in late, by replay or backfill. */
export function isLate({ source }: Entry): boolean {
  return source === "replay" || source === "backfill";
}
