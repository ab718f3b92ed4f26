import type { OAuthScope } from "./access.ts";

/** Event types for changes of a user's profile, one for each part of the profile. */
export const PROFILE_EVENT_TYPES = [
  "profile.update.bio",
  "profile.update.profile_picture",
  "profile.update.banner_picture",
  "profile.update.screenname",
  "profile.update.geo",
  "profile.update.url",
  "profile.update.verified_badge",
  "profile.update.affiliate_badge",
  "profile.update.handle",
] as const;

/**
 * Event types of the activity interface, the successor of account activity. Source: API description 2.167 of the live
 * service (the real platform).
 */
export const ACTIVITY_EVENT_TYPES = [
  ...PROFILE_EVENT_TYPES,
  "news.new",
  "follow.follow",
  "follow.unfollow",
  "spaces.start",
  "spaces.end",
  "broadcast.start",
  "broadcast.end",
  "broadcast.chat",
  "chat.received",
  "chat.sent",
  "chat.conversation.join",
  "chat.conversation.member_added",
  "chat.conversation.member_removed",
  "chat.conversation.admin_added",
  "chat.conversation.admin_removed",
  "chat.update.group_name",
  "chat.update.restrictions",
  "dm.sent",
  "dm.received",
  "dm.indicate_typing",
  "dm.read",
  "post.create",
  "post.delete",
  "post.mention.create",
  "post.reply.create",
  "post.quote.create",
  "post.repost.create",
  "like.create",
  "mute.mute",
  "mute.unmute",
  "block.block",
  "block.unblock",
] as const;

/** Event type of the activity interface. A subscription is to one event type of one user. */
export type ActivityEventType = (typeof ACTIVITY_EVENT_TYPES)[number];

/** Current names of event types, by their older names. The platform's responses use the current names. */
export const OLD_EVENT_TYPES: Readonly<Record<string, ActivityEventType>> = {
  "chat.conversation_join": "chat.conversation.join",
};

/** Returns the OAuth 2.0 scope that the watched user's token needs for a subscription to an event type. */
export function scopeOfEventType(type: ActivityEventType): OAuthScope {
  if (type.startsWith("dm.") || type.startsWith("chat.")) return "dm.read";
  if (type.startsWith("like.")) return "like.read";
  if (type.startsWith("mute.")) return "mute.read";
  return type.startsWith("block.") ? "block.read" : "tweet.read";
}

/** Whether a subscription to an event type needs the watched user's own credentials. */
export function isPrivateEventType(type: ActivityEventType): boolean {
  return scopeOfEventType(type) !== "tweet.read";
}

/** Whether an event type covers only actions by the watched user, so that a subscription can't choose a direction. */
export function isActorOnly(type: ActivityEventType): boolean {
  return type.startsWith("mute.") || type.startsWith("block.");
}

/** Directions of an event: `inbound` is an action towards the watched user, `outbound` an action by that user. */
export const ACTIVITY_DIRECTIONS = ["inbound", "outbound"] as const;
export type ActivityDirection = (typeof ACTIVITY_DIRECTIONS)[number];
