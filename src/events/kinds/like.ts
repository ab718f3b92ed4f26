import { laneOf } from "../lane.ts";
import type { LikeEvent } from "../event.ts";
import { POSTED, SENDER } from "../fields.ts";
import { personOf } from "../person.ts";
import { postOf } from "../post.ts";
import { dateAt, numberAt, objectAt, textAt, type Wire } from "../wire.ts";
import type { Delivery, EventKind } from "./event-kind.ts";

export const like: EventKind<LikeEvent> = {
  wire: { keys: ["favorite_events"], read },
  fields: { ...SENDER, ...POSTED },
  answeredBy: "message",
  counterpart: ({ direction, post, sender }) =>
    direction === "outbound" ? post.author.id : sender.id,
};

function read(element: Wire, { accountId, arrivedAt }: Delivery): LikeEvent | undefined {
  const id = textAt(element, "id");
  const sender = personOf(objectAt(element, "user"));
  const post = postOf(objectAt(element, "favorited_status"), arrivedAt);
  if (id === undefined || sender === undefined || post === undefined) return undefined;
  const own = sender.id === accountId;
  return {
    kind: "like",
    key: `like:${id}`,
    accountId,
    at: numberAt(element, "timestamp_ms") ?? dateAt(element, "created_at") ?? arrivedAt,
    direction: own ? "outbound" : "inbound",
    lane: laneOf(accountId, own ? post.author.id : sender.id),
    triggers: ["post.liked"],
    sender,
    post,
  };
}
