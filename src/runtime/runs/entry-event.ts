import type { AccountEvent, PostEvent } from "../../events/event.ts";
import { translate } from "../../events/translate.ts";
import { flagAt, wireOf } from "../../events/wire.ts";
import type { Entry } from "../store/entry.ts";
import type { JournalRow } from "../store/listings.ts";
import type { KeptDecision } from "./lane-event.ts";

/**
 * Parses the event that `entry` stores. If the entry has a decision, the event has the triggers that were decided on.
 *
 * @throws when the stored body no longer contains an event with the key of the entry.
 */
export function eventOf(entry: Entry & Partial<Pick<JournalRow, "decision">>): AccountEvent {
  const arrivals = translate(JSON.parse(entry.body), entry.arrivedAt);
  const match = arrivals.find(({ event }) => event.key === entry.key)?.event;
  if (match !== undefined)
    return isNewPostToo(match) && isEditAlone(entry) ? editAlone(match) : match;
  throw new Error(`the stored body can't be read as the event ${entry.key}`);
}

/** Whether the event is an edit that rules and bots may answer like a new post. */
export function isNewPostToo(event: AccountEvent): event is PostEvent {
  const { kind, triggers } = event;
  return kind === "post" && triggers.length > 1 && triggers.includes("post.edited");
}

/** Returns an edit without the triggers of a new post. */
export function editAlone(event: PostEvent): PostEvent {
  return { ...event, triggers: ["post.edited"] };
}

function isEditAlone({ decision }: Partial<Pick<JournalRow, "decision">>): boolean {
  const flag: keyof KeptDecision = "editAlone";
  return decision !== undefined && flagAt(wireOf(JSON.parse(decision)), flag) === true;
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
