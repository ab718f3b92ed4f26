import type { ActivityDirection, ActivityEventType } from "../../protocol/activity-event-types.ts";
import {
  type ActivityRow,
  type ActivitySubscriptionRow,
  activitySubscriptions,
  viewerOf,
} from "../model/activity.ts";
import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import { hiddenAuthorReason, hiddenPostReason, isNotified } from "../model/hidden-reason.ts";
import { messages, participantsOf } from "../model/messages.ts";
import { type PostRow, posts } from "../model/posts.ts";
import { mentionedIn } from "../model/text/mentions.ts";
import { inheritedPrefix } from "../model/text/reply-prefix.ts";

/**
 * Event type that an activity has for one user, and whether that user acted (`outbound`) or was concerned (`inbound`).
 */
interface Occurrence {
  readonly eventType: ActivityEventType;
  readonly userId: string;
  readonly direction: ActivityDirection;
}

/**
 * Returns the subscriptions that receive an activity. A subscription that matches it in several ways is returned once.
 */
export function subscriptionsOf(
  world: SandboxWorld,
  activity: Omit<ActivityRow, "id" | "lanes">,
): ActivitySubscriptionRow[] {
  const table = activitySubscriptions.in(world);
  const post = activity.kind === "post" ? posts.in(world).get(activity.ref ?? "") : undefined;
  const text = post === undefined ? undefined : inheritedPrefix(world, post) + post.text;
  const isHidden = isHiddenFromApps(world, activity, post);
  const matchingSubscriptions = new Map<string, ActivitySubscriptionRow>();
  for (const { eventType, userId, direction } of occurrences(world, activity)) {
    for (const row of table.where("user", userId)) {
      if (row.eventType !== eventType) continue;
      if (isHidden && viewerOf(world, row) === undefined) continue;
      if (row.direction !== undefined && row.direction !== direction) continue;
      if (row.keyword === undefined || holds(text, row.keyword))
        matchingSubscriptions.set(row.id, row);
    }
  }
  return [...matchingSubscriptions.values()];
}

/** Returns whether an activity creates or deletes a post that only users see, because it is protected. */
function isHiddenFromApps(
  world: SandboxWorld,
  { kind, by }: Pick<ActivityRow, "kind" | "by">,
  post: PostRow | undefined,
): boolean {
  if (kind === "delete") return hiddenAuthorReason(world, undefined, by) !== undefined;
  return post !== undefined && hiddenPostReason(world, undefined, post) !== undefined;
}

/** Returns whether a text contains a keyword, ignoring the case and Unicode form of letters. */
function holds(text: string | undefined, keyword: string): boolean {
  const plain = (original: string): string => original.normalize("NFKC").toLowerCase();
  return text !== undefined && plain(text).includes(plain(keyword));
}

function occurrences(
  world: SandboxWorld,
  { kind, by, to, ref, change }: Omit<ActivityRow, "id" | "lanes">,
): Occurrence[] {
  const own = (eventType: ActivityEventType): Occurrence[] => [
    { eventType, userId: by, direction: "outbound" },
  ];
  const theirs = (eventType: ActivityEventType, userId: string | undefined): Occurrence[] =>
    userId === undefined ? [] : [{ eventType, userId, direction: "inbound" }];
  const both = (eventType: ActivityEventType, userId: string | undefined): Occurrence[] => [
    ...own(eventType),
    ...theirs(eventType, userId),
  ];
  switch (kind) {
    case "post":
      return ofPost(world, posts.in(world).get(ref ?? ""), both);
    case "delete":
      return own("post.delete");
    case "like":
      return both("like.create", posts.in(world).get(ref ?? "")?.authorId);
    case "follow":
      return both("follow.follow", to);
    case "unfollow":
      return both("follow.unfollow", to);
    case "block":
      return own("block.block");
    case "unblock":
      return own("block.unblock");
    case "mute":
      return own("mute.mute");
    case "unmute":
      return own("mute.unmute");
    case "message":
      return [
        ...own("dm.sent"),
        ...receiversOf(world, to, ref, by).flatMap((id) => theirs("dm.received", id)),
      ];
    case "typing":
      return theirs("dm.indicate_typing", to);
    case "read":
      return theirs("dm.read", to);
    case "profile":
      return change === undefined ? [] : own(change.type);
    case "revoke":
      return [];
  }
}

/** Returns the ids of the people who receive a message: the recipient, or the other participants of a group. */
function receiversOf(
  world: SandboxWorld,
  to: string | undefined,
  ref: string | undefined,
  by: string,
): readonly string[] {
  if (to !== undefined) return [to];
  return participantsOf(world, messages.in(world).get(ref ?? "")).filter((id) => id !== by);
}

function ofPost(
  world: SandboxWorld,
  post: PostRow | undefined,
  both: (eventType: ActivityEventType, userId: string | undefined) => Occurrence[],
): Occurrence[] {
  if (post === undefined) return [];
  const notified = (id: string | undefined): string | undefined =>
    id !== undefined && isNotified(world, id, post) ? id : undefined;
  const authorOf = (id: string): string | undefined => notified(posts.in(world).get(id)?.authorId);
  if (post.repostOf !== undefined) return both("post.repost.create", authorOf(post.repostOf));
  const { authorId: userId, replyTo, quoteOf } = post;
  const created: Occurrence = { eventType: "post.create", userId, direction: "outbound" };
  return [
    created,
    ...(replyTo === undefined ? [] : both("post.reply.create", authorOf(replyTo))),
    ...(quoteOf === undefined ? [] : both("post.quote.create", authorOf(quoteOf))),
    ...[...mentionedIn(world, post), ...(post.taggedIds ?? [])].flatMap((id) =>
      both("post.mention.create", notified(id)),
    ),
  ];
}
