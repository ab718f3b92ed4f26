import { withoutGaps } from "../person.ts";
import { flagAt, idAt, numberAt, objectAt, objectsAt, textAt, type Wire } from "../wire.ts";
import { idTime } from "./id-time.ts";
import type { ReadEntities, ReadLink, ReadMedia, ReadPost, ReadUser } from "./objects.ts";

/** Reads a post from unchecked JSON of an API response; undefined if required fields are missing. */
export function readPostOf(wire: Wire | undefined): ReadPost | undefined {
  const id = idAt(wire);
  const author_id = idAt(wire, "author_id");
  const created_at = textAt(wire, "created_at") ?? dateOf(id);
  if (id === undefined || author_id === undefined || created_at === undefined) return undefined;
  if (Number.isNaN(Date.parse(created_at))) return undefined;
  const note = objectAt(wire, "note_post");
  const metrics = objectAt(wire, "public_metrics");
  return withoutGaps({
    id,
    author_id,
    created_at,
    text: textAt(wire, "text") ?? "",
    attachments: { media_keys: listAt(objectAt(wire, "attachments"), "media_keys", isText) ?? [] },
    display_text_range: listAt(wire, "display_text_range", isNumber),
    edit_history_post_ids: listAt(wire, "edit_history_post_ids", isText),
    entities: entitiesOf(objectAt(wire, "entities")),
    in_reply_to_user_id: idAt(wire, "in_reply_to_user_id"),
    lang: textAt(wire, "lang"),
    note_post: note && {
      text: textAt(note, "text") ?? "",
      entities: entitiesOf(objectAt(note, "entities")),
    },
    possibly_sensitive: flagAt(wire, "possibly_sensitive"),
    source: textAt(wire, "source"),
    public_metrics:
      metrics &&
      withoutGaps({
        repost_count: numberAt(metrics, "repost_count"),
        reply_count: numberAt(metrics, "reply_count"),
        like_count: numberAt(metrics, "like_count"),
        quote_count: numberAt(metrics, "quote_count"),
      }),
    referenced_posts: objectsAt(wire, "referenced_posts").flatMap((one) => {
      const [type, referenced] = [textAt(one, "type"), idAt(one)];
      return type === undefined || referenced === undefined ? [] : [{ type, id: referenced }];
    }),
  });
}

/** Reads a picture or video from unchecked JSON of an API response; undefined without key or type. */
export function readMediaOf(wire: Wire): ReadMedia | undefined {
  const [media_key, type] = [textAt(wire, "media_key"), textAt(wire, "type")];
  if (media_key === undefined || type === undefined) return undefined;
  const url = textAt(wire, "url");
  return { media_key, type, url, preview_image_url: textAt(wire, "preview_image_url") };
}

/** The array under `key`; undefined unless all its elements satisfy `isOne`. */
function listAt<T>(
  wire: Wire | undefined,
  key: string,
  isOne: (value: unknown) => value is T,
): readonly T[] | undefined {
  const value: unknown = wire?.[key];
  return Array.isArray(value) && value.every(isOne) ? value : undefined;
}

const isNumber = (value: unknown): value is number => typeof value === "number";
const isText = (value: unknown): value is string => typeof value === "string";

function dateOf(id: string | undefined): string | undefined {
  const at = id === undefined ? undefined : idTime(id);
  return at === undefined ? undefined : new Date(at).toISOString();
}

/** Reads a user from unchecked JSON of an API response; undefined without an id. */
export function readUserOf(wire: Wire | undefined): ReadUser | undefined {
  const id = idAt(wire);
  if (id === undefined) return undefined;
  const metrics = objectAt(wire, "public_metrics");
  const standing = wire?.["connection_status"];
  const created_at = textAt(wire, "created_at");
  return withoutGaps({
    id,
    name: textAt(wire, "name"),
    username: textAt(wire, "username"),
    connection_status: Array.isArray(standing)
      ? standing.filter((one): one is string => typeof one === "string")
      : undefined,
    created_at: Number.isNaN(Date.parse(created_at ?? "")) ? undefined : created_at,
    description: textAt(wire, "description"),
    location: textAt(wire, "location"),
    profile_image_url: textAt(wire, "profile_image_url"),
    protected: flagAt(wire, "protected"),
    public_metrics:
      metrics &&
      withoutGaps({
        followers_count: numberAt(metrics, "followers_count"),
        following_count: numberAt(metrics, "following_count"),
        post_count: numberAt(metrics, "post_count"),
        listed_count: numberAt(metrics, "listed_count"),
        like_count: numberAt(metrics, "like_count"),
      }),
    url: textAt(wire, "url"),
    verified: flagAt(wire, "verified"),
  });
}

function entitiesOf(wire: Wire | undefined): ReadEntities | undefined {
  if (wire === undefined) return undefined;
  const tags = (key: string) =>
    objectsAt(wire, key).flatMap((one) => {
      const tag = textAt(one, "tag");
      return tag === undefined ? [] : [{ tag, ...spanOf(one) }];
    });
  return {
    hashtags: tags("hashtags"),
    cashtags: tags("cashtags"),
    mentions: objectsAt(wire, "mentions").flatMap((one) => {
      const username = textAt(one, "username");
      const id = idAt(one);
      if (username === undefined) return [];
      return [{ username, ...spanOf(one), ...(id === undefined ? {} : { id }) }];
    }),
    urls: objectsAt(wire, "urls").flatMap(linkOf),
  };
}

function linkOf(wire: Wire): ReadLink[] {
  const url = textAt(wire, "url");
  if (url === undefined) return [];
  return [
    withoutGaps({
      url,
      ...spanOf(wire),
      expanded_url: textAt(wire, "expanded_url"),
      display_url: textAt(wire, "display_url"),
      media_key: textAt(wire, "media_key"),
    }),
  ];
}

function spanOf(wire: Wire): { readonly start: number; readonly end: number } {
  return { start: numberAt(wire, "start") ?? 0, end: numberAt(wire, "end") ?? 0 };
}
