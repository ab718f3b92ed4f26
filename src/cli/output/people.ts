import { groupOfLane } from "../../events/lane.ts";
import { handlesIn } from "../../events/handles.ts";
import type { Answers } from "../../runtime/control/contract.ts";
import { readableEvent } from "../../insight/traces/find-event.ts";

/** Handles (`@handle`) by user id, from the events of journal entries. */
export function namesIn(entries: Answers["journal"]): ReadonlyMap<string, string> {
  return handlesIn(entries.flatMap((entry) => readableEvent(entry) ?? []));
}

/** Text for the person of a lane (`@ana`, or the user id), or for a group (`group` and its id). */
export function personOf(lane: string, names: ReadonlyMap<string, string>): string {
  const group = groupOfLane(lane);
  if (group !== undefined) return `group ${group}`;
  const id = lane.slice(lane.indexOf("/") + 1);
  return names.get(id) ?? id;
}
