import type { AccountEvent } from "../events/event.ts";

/** User id of the person the account deals with in `event`: whoever is not the account itself. */
export function personOf(event: AccountEvent): string | undefined {
  const isOutbound = event.direction === "outbound";
  switch (event.kind) {
    case "message":
      return isOutbound ? event.message.recipientId : event.sender.id;
    case "post":
      return isOutbound ? (event.post.inReplyToUserId ?? event.sender.id) : event.sender.id;
    case "like":
      return isOutbound ? event.post.author.id : event.sender.id;
    case "relation":
      return isOutbound ? event.target.id : event.sender.id;
    case "typing":
    case "read":
    case "post_deleted":
    case "revoked":
      return event.sender.id;
    case "replay_finished":
    case "unrecognised":
      return undefined;
  }
}
