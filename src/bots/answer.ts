import type { Action } from "../actions/actions.ts";
import type { AccountEvent } from "../events/event.ts";
import { eventKind } from "../events/kinds/kinds.ts";

/** The action with which `text` answers `event`, or undefined when there is nobody to answer. */
export function answerTo(event: AccountEvent, text: string): Action | undefined {
  const { answeredBy } = eventKind(event.kind);
  if (answeredBy === "post" && "post" in event) {
    return { type: "reply_post", inReplyTo: event.post.id, to: event.sender.id, text };
  }
  return answeredBy === "message" && "sender" in event && event.direction === "inbound"
    ? { type: "reply_dm", to: event.sender.id, text }
    : undefined;
}
