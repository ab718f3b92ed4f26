import { handlesIn } from "../../events/handles.ts";
import type { Answers } from "../../runtime/control/contract.ts";
import { readableEvent } from "../../insight/traces/find-event.ts";

/** `@handle` of people by their user ids, as far as entries tell. */
export function namesIn(entries: Answers["journal"]): ReadonlyMap<string, string> {
  return handlesIn(entries.flatMap((entry) => readableEvent(entry) ?? []));
}

/** The other of a lane: `@ana`, or the user id. */
export function personOf(lane: string, names: ReadonlyMap<string, string>): string {
  const id = lane.slice(lane.indexOf("/") + 1);
  return names.get(id) ?? id;
}
