import { groupOfLane } from "../../events/lane.ts";
import { handlesIn } from "../../events/handles.ts";
import type { Answers } from "../../runtime/vocabulary.ts";
import { readableEvent } from "../../insight/traces/find-event.ts";

/** Handles such as `@ana` by user id, as the events of journal entries contain them. */
export function namesIn(entries: Answers["journal"]): ReadonlyMap<string, string> {
  return handlesIn(entries.flatMap((entry) => readableEvent(entry) ?? []));
}

/** Name of a lane's person (`@ana`, or the user id without a known handle) or group (`group 7`). Lane: `ACCOUNT/ID`. */
export function personOf(lane: string, names: ReadonlyMap<string, string>): string {
  const group = groupOfLane(lane);
  if (group !== undefined) return `group ${group}`;
  const id = lane.slice(lane.indexOf("/") + 1);
  return names.get(id) ?? id;
}
