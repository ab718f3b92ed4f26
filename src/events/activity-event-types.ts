import {
  ACTIVITY_EVENT_TYPES,
  type ActivityEventType,
  isActorOnly,
} from "../protocol/activity-event-types.ts";
import type { Direction } from "./event.ts";
import type { Trigger } from "./triggers.ts";

/** Event types of the activity interface (the platform's newer webhooks) by trigger; empty if it has none. */
const EVENT_TYPES_OF: {
  readonly [T in Trigger]: ActivityEventType | readonly ActivityEventType[];
} = {
  "dm.received": "dm.received",
  "post.mentioned": "post.mention.create",
  "post.replied": "post.reply.create",
  "post.quoted": "post.quote.create",
  // An edited post arrives again as a new post, with the event type of its kind; there is no event type for edits.
  "post.edited": ["post.mention.create", "post.reply.create", "post.quote.create"],
  "dm.sent": "dm.sent",
  "post.created": "post.create",
  "post.reposted": "post.repost.create",
  "post.liked": "like.create",
  "user.followed": "follow.follow",
  "user.unfollowed": "follow.unfollow",
  "dm.typing": "dm.indicate_typing",
  "dm.read": "dm.read",
  "post.deleted": "post.delete",
  "user.blocked": "block.block",
  "user.unblocked": "block.unblock",
  "user.muted": "mute.mute",
  "user.unmuted": "mute.unmute",
  "post.found": [],
  "account.authorization_revoked": [],
  "replay.finished": [],
  "count.reached": [],
  schedule: [],
  "link.lost": [],
  "link.restored": [],
};

/** Event types that Answerback reads; those that bots need most come first. */
export const READ_EVENT_TYPES: readonly ActivityEventType[] = [
  ...new Set(Object.values(EVENT_TYPES_OF).flat()),
];

/** Returns the event types under which the newer activity interface delivers a trigger; empty if it delivers none. */
export function eventTypesOf(trigger: Trigger): readonly ActivityEventType[] {
  return [EVENT_TYPES_OF[trigger]].flat();
}

/**
 * Whether the activity interface delivers a trigger in a direction. It delivers blocks, mutes and deletions only for
 * the account's own actions, and no triggers that the runtime creates itself.
 */
export function isDelivered(trigger: Trigger, direction: Direction): boolean {
  const [type] = eventTypesOf(trigger);
  if (type === undefined) return false;
  return direction === "outbound" || !(isActorOnly(type) || type === "post.delete");
}

/** Whether `word` is an event type of the activity interface. */
export function isActivityEventType(word: string): word is ActivityEventType {
  const eventTypes: readonly string[] = ACTIVITY_EVENT_TYPES;
  return eventTypes.includes(word);
}

/**
 * Whether events of a type have the same id in account activity and in the activity interface. Without a common id,
 * copies from the two interfaces could not be deduplicated.
 */
export function hasOwnId(type: ActivityEventType): boolean {
  return !/^(?:follow|block|mute)\./.test(type);
}
