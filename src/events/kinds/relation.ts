import { laneOf } from "../lane.ts";
import { type Relation, type RelationEvent, RELATIONS } from "../event.ts";
import { part, PERSON, SENDER } from "../fields.ts";
import { personOf } from "../person.ts";
import type { Trigger } from "../triggers.ts";
import { idAt, numberAt, objectAt, type Wire } from "../wire.ts";
import type { Delivery, EventKind } from "./event-kind.ts";

const TRIGGER_OF: Readonly<Record<Relation, Trigger>> = {
  follow: "user.followed",
  unfollow: "user.unfollowed",
  block: "user.blocked",
  unblock: "user.unblocked",
  mute: "user.muted",
  unmute: "user.unmuted",
};

export const relation: EventKind<RelationEvent> = {
  wire: { keys: ["follow_events", "block_events", "mute_events"], read },
  fields: { ...SENDER, ...part("target", PERSON, (event: RelationEvent) => event.target) },
  answeredBy: "message",
  counterpart: ({ direction, target, sender }) =>
    direction === "outbound" ? target.id : sender.id,
};

/**
 * Reads a relation. Requires a time, or an id as the activity interface has: one of them distinguishes a repeated follow
 * or block.
 */
function read(element: Wire, { accountId, arrivedAt }: Delivery): RelationEvent | undefined {
  const relation = RELATIONS.find((name) => name === element["type"]);
  const sender = personOf(objectAt(element, "source"));
  const target = personOf(objectAt(element, "target"));
  const at = numberAt(element, "created_timestamp");
  if (relation === undefined || sender === undefined || target === undefined) return undefined;
  const occurrence = at ?? idAt(element);
  if (occurrence === undefined) return undefined;
  const own = sender.id === accountId;
  return {
    kind: "relation",
    relation,
    key: `${relation}:${sender.id}>${target.id}:${occurrence}`,
    accountId,
    at: at ?? arrivedAt,
    direction: own ? "outbound" : "inbound",
    lane: laneOf(accountId, own ? target.id : sender.id),
    triggers: [TRIGGER_OF[relation]],
    sender,
    target,
  };
}
