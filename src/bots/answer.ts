import type { Action } from "../actions/action.ts";
import type { AccountEvent } from "../events/event.ts";

/** The action with which `text` answers `event`, or undefined when there is nobody to answer. */
export function answerTo(event: AccountEvent, text: string): Action | undefined {
  switch (event.kind) {
    case "post":
      return { type: "reply_post", inReplyTo: event.post.id, to: event.sender.id, text };
    case "message":
    case "typing":
    case "read":
    case "like":
    case "relation":
      return event.direction === "inbound"
        ? { type: "reply_dm", to: event.sender.id, text }
        : undefined;
    case "post_deleted":
    case "revoked":
    case "replay_finished":
    case "unrecognised":
      return undefined;
  }
}
