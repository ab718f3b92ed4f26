import type { Mention, Post, PostEvent, Trigger } from "./event.ts";
import { personOf, withoutGaps } from "./person.ts";
import { dateAt, flagAt, idAt, numberAt, objectAt, objectsAt, textAt, type Wire } from "./wire.ts";

/** A post object of an event body, in either dialect; undefined without id or author. */
export function postOf(wire: Wire | undefined, arrivedAt: number): Post | undefined {
  const id = idAt(wire);
  const author = personOf(objectAt(wire, "user"));
  if (id === undefined || author === undefined) return undefined;
  const extended = objectAt(wire, "extended_post") ?? objectAt(wire, "extended_tweet");
  const entities = objectAt(extended, "entities") ?? objectAt(wire, "entities");
  return withoutGaps({
    id,
    text: textAt(extended, "full_text") ?? textAt(wire, "text") ?? "",
    author,
    createdAt: numberAt(wire, "timestamp_ms") ?? dateAt(wire, "created_at") ?? arrivedAt,
    inReplyToPostId: idAt(wire, "in_reply_to_status_id"),
    inReplyToUserId: idAt(wire, "in_reply_to_user_id"),
    quoted: postOf(objectAt(wire, "quoted_status"), arrivedAt),
    reposted: postOf(
      objectAt(wire, "reposted_status") ?? objectAt(wire, "retweeted_status"),
      arrivedAt,
    ),
    ...entitiesOf(entities),
    lang: textAt(wire, "lang"),
    sensitive: flagAt(wire, "possibly_sensitive"),
  });
}

interface Entities {
  readonly mentions: readonly Mention[];
  readonly hashtags: readonly string[];
  readonly urls: readonly string[];
}

/** Mentions, hashtags and links of an `entities` object. */
export function entitiesOf(entities: Wire | undefined): Entities {
  return {
    mentions: objectsAt(entities, "user_mentions").flatMap((mention) => {
      const id = idAt(mention);
      return id === undefined ? [] : [{ id, username: textAt(mention, "screen_name") ?? "" }];
    }),
    hashtags: objectsAt(entities, "hashtags").flatMap((tag) => textAt(tag, "text") ?? []),
    urls: objectsAt(entities, "urls").flatMap(
      (url) => textAt(url, "expanded_url") ?? textAt(url, "url") ?? [],
    ),
  };
}

/** Element of `post_create_events`. */
export function postEventOf(
  wire: Wire,
  body: Wire,
  accountId: string,
  arrivedAt: number,
): PostEvent | undefined {
  const post = postOf(wire, arrivedAt);
  if (post === undefined) return undefined;
  const own = post.author.id === accountId;
  return withoutGaps({
    kind: "post" as const,
    key: `post:${post.id}`,
    accountId,
    at: post.createdAt,
    direction: own ? ("outbound" as const) : ("inbound" as const),
    lane: `${accountId}/${own ? addresseeOf(post, accountId) : post.author.id}`,
    triggers: own ? ownTriggers(post) : triggersFor(post, accountId),
    sender: post.author,
    post,
    senderIsBlocked: flagAt(body, "user_has_blocked"),
  });
}

/** Whom the account's own post speaks to; the account itself when nobody. */
function addresseeOf(post: Post, accountId: string): string {
  return post.inReplyToUserId ?? post.quoted?.author.id ?? post.reposted?.author.id ?? accountId;
}

function ownTriggers(post: Post): Trigger[] {
  const triggers: Trigger[] = ["post.created"];
  if (post.reposted !== undefined) return [...triggers, "post.reposted"];
  if (post.inReplyToPostId !== undefined) triggers.push("post.replied");
  if (post.quoted !== undefined) triggers.push("post.quoted");
  if (post.mentions.length > 0) triggers.push("post.mentioned");
  return triggers;
}

/** What another person's post is to the account: a repost carries the original's mentions, which are not its own. */
function triggersFor(post: Post, accountId: string): Trigger[] {
  if (post.reposted !== undefined) {
    return post.reposted.author.id === accountId ? ["post.reposted"] : [];
  }
  const triggers: Trigger[] = [];
  if (post.mentions.some((mention) => mention.id === accountId)) triggers.push("post.mentioned");
  if (post.inReplyToUserId === accountId) triggers.push("post.replied");
  if (post.quoted?.author.id === accountId) triggers.push("post.quoted");
  return triggers;
}
