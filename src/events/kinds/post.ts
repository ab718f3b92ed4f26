import { laneOf } from "../lane.ts";
import type { PostSnapshot, PostEvent } from "../event.ts";
import { flag, POSTED, SENDER } from "../fields.ts";
import { withoutGaps } from "../person.ts";
import { postOf } from "../post.ts";
import type { Trigger } from "../triggers.ts";
import { flagAt, type Wire } from "../wire.ts";
import type { Delivery, EventKind } from "./event-kind.ts";

export const post: EventKind<PostEvent> = {
  wire: { keys: ["post_create_events"], read },
  fields: {
    ...SENDER,
    ...POSTED,
    "sender.blocked": flag((event) => event.senderIsBlocked),
  },
  answeredBy: "post",
  counterpart: ({ direction, post, sender }) =>
    direction === "outbound" ? (post.inReplyToUserId ?? sender.id) : sender.id,
};

function read(element: Wire, { body, accountId, arrivedAt }: Delivery): PostEvent | undefined {
  const post = postOf(element, arrivedAt);
  if (post === undefined) return undefined;
  const own = post.author.id === accountId;
  return withoutGaps({
    kind: "post" as const,
    key: `post:${post.id}`,
    accountId,
    at: post.createdAt,
    direction: own ? ("outbound" as const) : ("inbound" as const),
    lane: laneOf(accountId, own ? addresseeOf(post, accountId) : post.author.id),
    triggers: own ? ownTriggers(post) : triggersFor(post, accountId),
    sender: post.author,
    post,
    senderIsBlocked: flagAt(body, "user_has_blocked"),
  });
}

/** Whom the account's own post speaks to; the account itself when nobody. */
function addresseeOf(post: PostSnapshot, accountId: string): string {
  return post.inReplyToUserId ?? post.quoted?.author.id ?? post.reposted?.author.id ?? accountId;
}

function ownTriggers(post: PostSnapshot): Trigger[] {
  const triggers: Trigger[] = ["post.created"];
  if (post.reposted !== undefined) return [...triggers, "post.reposted"];
  if (post.inReplyToPostId !== undefined) triggers.push("post.replied");
  if (post.quoted !== undefined) triggers.push("post.quoted");
  if (post.mentions.length > 0) triggers.push("post.mentioned");
  return triggers;
}

/** What another person's post is to the account: a repost carries the original's mentions, which are not its own. */
function triggersFor(post: PostSnapshot, accountId: string): Trigger[] {
  if (post.reposted !== undefined) {
    return post.reposted.author.id === accountId ? ["post.reposted"] : [];
  }
  const triggers: Trigger[] = [];
  if (post.mentions.some((mention) => mention.id === accountId)) triggers.push("post.mentioned");
  if (post.inReplyToUserId === accountId) triggers.push("post.replied");
  if (post.quoted?.author.id === accountId) triggers.push("post.quoted");
  return triggers;
}
