import { laneOf } from "../lane.ts";
import type { PostDeletedEvent } from "../event.ts";
import { SENDER, text } from "../fields.ts";
import { idAt, numberAt, objectAt, type Wire } from "../wire.ts";
import type { Delivery, EventKind } from "./event-kind.ts";

export const postDeleted: EventKind<PostDeletedEvent> = {
  wire: { keys: ["post_delete_events"], read },
  fields: { ...SENDER, "post.id": text((event) => event.postId) },
  counterpart: ({ sender }) => sender.id,
};

function read(element: Wire, { accountId, arrivedAt }: Delivery): PostDeletedEvent | undefined {
  const status = objectAt(element, "status");
  const postId = idAt(status, "edit_of") ?? idAt(status);
  const authorId = idAt(status, "user_id");
  if (postId === undefined || authorId === undefined) return undefined;
  return {
    kind: "post_deleted",
    key: `post_deleted:${postId}`,
    accountId,
    at: numberAt(element, "timestamp_ms") ?? arrivedAt,
    direction: authorId === accountId ? "outbound" : "inbound",
    lane: laneOf(accountId, authorId),
    triggers: ["post.deleted"],
    sender: { id: authorId },
    postId,
  };
}
