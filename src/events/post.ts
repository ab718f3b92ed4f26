import { writtenText } from "../protocol/written-text.ts";
import { mediaUrlOf, textOf } from "./entities.ts";
import type { PostSnapshot } from "./event.ts";
import { namedIn, writtenPart } from "./own-words.ts";
import { personOf, withoutGaps } from "./person.ts";
import { dateAt, flagAt, idAt, numberAt, objectAt, objectsAt, textAt, type Wire } from "./wire.ts";

/** Reads a post object of an event body, with `post` or `tweet` in field names; undefined without id or author. */
export function postOf(wire: Wire | undefined, arrivedAt: number): PostSnapshot | undefined {
  const id = idAt(wire);
  const author = personOf(objectAt(wire, "user"));
  if (wire === undefined || id === undefined || author === undefined) return undefined;
  const extended = objectAt(wire, "extended_post") ?? objectAt(wire, "extended_tweet");
  const entities = objectAt(extended, "entities") ?? objectAt(wire, "entities");
  const part = writtenPart(wire, extended);
  return withoutGaps({
    id,
    author,
    createdAt: numberAt(wire, "timestamp_ms") ?? dateAt(wire, "created_at") ?? arrivedAt,
    inReplyToPostId: idAt(wire, "in_reply_to_status_id"),
    inReplyToUserId: idAt(wire, "in_reply_to_user_id"),
    inReplyToUsername: textAt(wire, "in_reply_to_screen_name"),
    quotedPostId: idAt(wire, "quoted_status_id"),
    quoted: postOf(objectAt(wire, "quoted_status"), arrivedAt),
    reposted: postOf(
      objectAt(wire, "reposted_status") ?? objectAt(wire, "retweeted_status"),
      arrivedAt,
    ),
    ...textOf(part, entities, {
      id: idAt(wire, "quoted_status_id"),
      shortUrl: textAt(objectAt(wire, "quoted_status_permalink"), "url"),
    }),
    ...namedIn(part, entities),
    ...mediaOf(objectAt(extended, "extended_entities") ?? objectAt(wire, "extended_entities")),
    ...sourceAppOf(textAt(wire, "source")),
    repostCount: numberAt(wire, "repost_count") ?? numberAt(wire, "retweet_count"),
    replyCount: numberAt(wire, "reply_count"),
    likeCount: numberAt(wire, "favorite_count"),
    quoteCount: numberAt(wire, "quote_count"),
    lang: textAt(wire, "lang"),
    sensitive: flagAt(wire, "possibly_sensitive"),
    versions: versionsOf(wire, id),
  });
}

/** URLs and types of a post's media; empty if it has none. */
function mediaOf(extended: Wire | undefined): Pick<PostSnapshot, "mediaUrls" | "mediaTypes"> {
  const media = objectsAt(extended, "media").flatMap((one) => {
    const [url, type] = [mediaUrlOf(one), textAt(one, "type")];
    return url === undefined ? [] : [{ url, type: type ?? "" }];
  });
  if (media.length === 0) return {};
  return { mediaUrls: media.map(({ url }) => url), mediaTypes: media.map(({ type }) => type) };
}

/**
 * Ids of a post's versions up to `id`, oldest first; undefined if `id` is the first version.
 *
 * Each version of an edited post is a separate post.
 */
function versionsOf(wire: Wire, id: string): readonly string[] | undefined {
  const history = objectAt(wire, "edit_history");
  const listed: unknown =
    history?.["edit_post_ids"] ?? history?.["edit_tweet_ids"] ?? wire["edit_history_post_ids"];
  const ids = Array.isArray(listed) ? listed.filter((one) => typeof one === "string") : [];
  const first = ids[0] ?? idAt(history, "initial_post_id") ?? idAt(history, "initial_tweet_id");
  if (first === undefined || first === id) return undefined;
  const place = ids.indexOf(id);
  if (place >= 0) return ids.slice(0, place + 1);
  return [...(ids.length === 0 ? [first] : ids), id];
}

/** A post's `source` in deliveries: a link with the app's name. Source: recorded bodies of the live service. */
const APP_LINK = /^<a href="(?<url>[^"]*)"[^>]*>(?<name>.*)<\/a>$/s;

/**
 * Reads name and website of the app that created a post.
 *
 * @param source The post's `source`: a link in deliveries, the name alone in the data interface.
 */
function sourceAppOf(
  source: string | undefined,
): Pick<PostSnapshot, "sourceAppName" | "sourceAppUrl"> {
  if (source === undefined) return {};
  const { url = "", name = source } = APP_LINK.exec(source)?.groups ?? {};
  return {
    ...(name === "" ? {} : { sourceAppName: writtenText(name) }),
    ...(url === "" ? {} : { sourceAppUrl: writtenText(url) }),
  };
}
