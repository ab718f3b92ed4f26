import type { Relation } from "../events/event.ts";
import type { Trigger } from "../events/triggers.ts";
import type { ActionEcho } from "./action-kind.ts";

/** The echo of a verb that begins or ends a relation of the account with a person. */
export function relationEcho(
  relation: Relation,
  trigger: Trigger,
): ActionEcho<{ readonly to: string }> {
  return {
    triggers: [trigger],
    recognise: (event, { to }, { account }) =>
      event.kind === "relation" &&
      event.relation === relation &&
      event.sender.id === account &&
      event.target.id === to
        ? { at: event.at }
        : undefined,
  };
}
