import { type Action, describeAction } from "../../actions/actions.ts";
import type { AccountEvent } from "../../events/event.ts";
import type { Answers } from "../../runtime/control/contract.ts";
import { eventOf } from "../../runtime/runs/entry-event.ts";

type Entry = Answers["journal"][number];

/** The event of an entry, as far as its body still gives one. */
export function eventIn(entry: Entry): AccountEvent | undefined {
  try {
    return eventOf(entry);
  } catch {
    // what is kept of a person who is forgotten gives no event any more
    return undefined;
  }
}

/** `@handle` of people by their user ids, as far as entries tell. */
export function namesIn(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const entry of entries) {
    const event = eventIn(entry);
    if (event === undefined || !("sender" in event)) continue;
    const { id, username } = event.sender;
    if (username !== undefined) names.set(id, `@${username}`);
  }
  return names;
}

/** An action as people read it: `message to @ana: hello`. */
export function actionInWords(action: Action, names: ReadonlyMap<string, string>): string {
  const text = describeAction(action);
  const name = "to" in action ? names.get(action.to) : undefined;
  // whom it is for stands before what it says
  return name === undefined || !("to" in action) ? text : text.replace(action.to, () => name);
}

/** The other of a lane: `@ana`, or the user id. */
export function personOf(lane: string, names: ReadonlyMap<string, string>): string {
  const id = lane.slice(lane.indexOf("/") + 1);
  return names.get(id) ?? id;
}
