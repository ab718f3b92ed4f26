import type { Action } from "../actions/actions.ts";
import type { AccountEvent } from "../events/event.ts";
import type { SaidInAction } from "./said.ts";
import { eventKind } from "../events/kinds/kinds.ts";

/** The action with which `said` answers `event`, or undefined when there is nobody to answer. */
export function answerTo(event: AccountEvent, said: SaidInAction): Action | undefined {
  const { answeredBy } = eventKind(event.kind);
  if (answeredBy === "post" && "post" in event) {
    return { type: "reply_post", inReplyTo: event.post.id, to: event.sender.id, ...said };
  }
  return answeredBy === "message" && "sender" in event && event.direction === "inbound"
    ? { type: "reply_dm", to: event.sender.id, ...said }
    : undefined;
}
