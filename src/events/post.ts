import { textOf } from "./entities.ts";
import type { PostSnapshot } from "./event.ts";
import { personOf, withoutGaps } from "./person.ts";
import { dateAt, flagAt, idAt, numberAt, objectAt, textAt, type Wire } from "./wire.ts";

/** A post object of an event body, in either dialect; undefined without id or author. */
export function postOf(wire: Wire | undefined, arrivedAt: number): PostSnapshot | undefined {
  const id = idAt(wire);
  const author = personOf(objectAt(wire, "user"));
  if (id === undefined || author === undefined) return undefined;
  const extended = objectAt(wire, "extended_post") ?? objectAt(wire, "extended_tweet");
  const entities = objectAt(extended, "entities") ?? objectAt(wire, "entities");
  return withoutGaps({
    id,
    author,
    createdAt: numberAt(wire, "timestamp_ms") ?? dateAt(wire, "created_at") ?? arrivedAt,
    inReplyToPostId: idAt(wire, "in_reply_to_status_id"),
    inReplyToUserId: idAt(wire, "in_reply_to_user_id"),
    quoted: postOf(objectAt(wire, "quoted_status"), arrivedAt),
    reposted: postOf(
      objectAt(wire, "reposted_status") ?? objectAt(wire, "retweeted_status"),
      arrivedAt,
    ),
    ...textOf(
      textAt(extended, "full_text") ?? textAt(wire, "text") ?? "",
      entities,
      idAt(wire, "quoted_status_id"),
    ),
    lang: textAt(wire, "lang"),
    sensitive: flagAt(wire, "possibly_sensitive"),
  });
}
