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

/** Whether the event came in late, by replay or backfill. */
export function isLate({ source }: Entry): boolean {
  return source === "replay" || source === "backfill";
}
