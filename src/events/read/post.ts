import { withoutGaps } from "../person.ts";
import type { Wire } from "../wire.ts";
import { dateText } from "./date-text.ts";
import { entitiesInDelivery } from "./entities.ts";
import { mediumInDelivery } from "./media.ts";
import type { ReadIncludes, ReadPost } from "./objects.ts";
import { userInPosts } from "./user.ts";

/**
 * Creates the webhook delivery that corresponds to a post read from the platform's API, with the same key, lane,
 * triggers, people, text and time.
 *
 * A quoted or reposted post is part of the delivery if `includes` has it. Posts that the quoted post quotes are not:
 * the response includes only one level.
 *
 * @param account User id of the account that the post concerns.
 * @returns `undefined` if `includes` lacks the author, which an event requires.
 */
export function postDelivery(
  account: string,
  post: ReadPost,
  includes: ReadIncludes = {},
): Wire | undefined {
  const rendered = postInDelivery(post, includes);
  if (rendered === undefined) return undefined;
  return {
    ...blockedPart(account, post, includes),
    for_user_id: account,
    post_create_events: [rendered],
  };
}

/**
 * Returns the field `user_has_blocked`: whether the account has blocked the author. Like deliveries, only replies and
 * mentions have this field.
 */
function blockedPart(account: string, post: ReadPost, { users = [] }: ReadIncludes): Wire {
  if (post.author_id === account || !isAddressed(account, post)) return {};
  const standing = users.find(({ id }) => id === post.author_id)?.connection_status;
  if (standing === undefined) return {};
  return { user_has_blocked: String(standing.includes("blocking")) };
}

/** Returns whether a post mentions an account or replies to it. */
export function isAddressed(account: string, post: ReadPost): boolean {
  const isRepost = post.referenced_posts?.some(({ type }) => type === "retweeted") ?? false;
  const mentions = (post.note_post ?? post).entities?.mentions ?? [];
  const isMention = !isRepost && mentions.some(({ id }) => id === account);
  return isMention || post.in_reply_to_user_id === account;
}

/** Converts a post to the form of webhook deliveries. @param depth Number of posts that quote or repost it. */
export function postInDelivery(
  post: ReadPost,
  includes: ReadIncludes,
  depth = 0,
): Wire | undefined {
  const author = includes.users?.find(({ id }) => id === post.author_id);
  const at = Date.parse(post.created_at);
  if (author === undefined || Number.isNaN(at)) return undefined;
  const { note_post: note, public_metrics: metrics } = post;
  const referenced = (type: string) => post.referenced_posts?.find((one) => one.type === type)?.id;
  const nested = (id: string | undefined) => {
    const includedPost = depth > 0 ? undefined : includes.posts?.find((one) => one.id === id);
    return includedPost === undefined
      ? undefined
      : postInDelivery(includedPost, includes, depth + 1);
  };
  const history = post.edit_history_post_ids;
  const replyTo = referenced("replied_to");
  const quoted = referenced("quoted");
  const reposted = referenced("retweeted");
  const media = mediaOf(post, includes);
  return withoutGaps({
    created_at: dateText(at),
    id: post.id,
    id_str: post.id,
    text: post.text,
    display_text_range: post.display_text_range,
    source: post.source,
    truncated: note !== undefined,
    extended_post:
      note === undefined
        ? undefined
        : { full_text: note.text, entities: entitiesInDelivery(note.entities) },
    in_reply_to_status_id: replyTo,
    in_reply_to_status_id_str: replyTo,
    in_reply_to_user_id: post.in_reply_to_user_id,
    in_reply_to_user_id_str: post.in_reply_to_user_id,
    in_reply_to_screen_name: answeredHandle(post, includes),
    user: userInPosts(author),
    quoted_status_id: quoted,
    quoted_status_id_str: quoted,
    quoted_status: nested(quoted),
    reposted_status: nested(reposted) ?? repostedBy(post, reposted),
    is_quote_status: quoted !== undefined,
    quote_count: metrics?.quote_count,
    reply_count: metrics?.reply_count,
    repost_count: metrics?.repost_count,
    favorite_count: metrics?.like_count,
    entities: entitiesInDelivery(post.entities),
    extended_entities: media.length === 0 ? undefined : { media },
    // Deliveries omit `possibly_sensitive` unless it is true.
    possibly_sensitive: post.possibly_sensitive === true ? true : undefined,
    lang: post.lang,
    edit_history: history && {
      initial_post_id: history[0],
      edit_post_ids: history,
    },
    timestamp_ms: String(at),
  });
}

/**
 * Creates a substitute for a reposted post that `includes` lacks. The repost's text names its author: `RT @ana: …`.
 * Without the original, the repost would count as its author's own words, and mention the people in them.
 */
function repostedBy({ entities }: ReadPost, id: string | undefined): Wire | undefined {
  const author = entities?.mentions?.find(({ start }) => start === "RT ".length);
  if (id === undefined || author?.id === undefined) return undefined;
  return { id_str: id, text: "", user: { id_str: author.id, screen_name: author.username } };
}

/** The post's pictures and videos that `includes` has. */
function mediaOf({ attachments }: ReadPost, { media = [] }: ReadIncludes): readonly Wire[] {
  return (attachments?.media_keys ?? []).flatMap((key) => {
    const medium = media.find(({ media_key }) => media_key === key);
    return medium === undefined ? [] : [mediumInDelivery(medium)];
  });
}

/** Handle of the person to whom the post replies, from the included people or the mentions in the text. */
function answeredHandle(post: ReadPost, { users = [] }: ReadIncludes): string | undefined {
  const { in_reply_to_user_id: answered, note_post: note } = post;
  if (answered === undefined) return undefined;
  const mentions = (note ?? post).entities?.mentions ?? [];
  return [...users, ...mentions].find(
    ({ id, username }) => id === answered && username !== undefined,
  )?.username;
}
