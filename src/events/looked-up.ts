import type { PostField, UserField } from "../protocol/fields.ts";
import type { Json } from "../protocol/json.ts";
import { textOf } from "./entities.ts";
import type { FieldType } from "./fields.ts";
import { wholeText } from "./own-words.ts";
import { objectAt, objectsAt, textAt } from "./wire.ts";

/** Objects that a rule can look up. */
export type LookedUpKind = "user" | "post";

/** Object of the data interface as the client returns it, spelt with `post` (`repost_count`, not `retweet_count`). */
type ReadObject = Readonly<Record<string, unknown>>;

/** Field of a looked-up object. */
export interface LookedUpField {
  readonly type: FieldType;
  /** Whether the platform may omit the field, so that expressions must check for it. */
  readonly mayBeAbsent?: true;
  /** Field to request from the platform, in the spelling `post`. Absent if every response has the field. */
  readonly selects?: UserField | PostField;
  /** Returns the field's value from the platform's object; it may have another type. */
  readonly read: (object: ReadObject) => unknown;
}

/** Fields by their name in rules. Events use the same names for the same fields: `followers_count`. */
type LookedUpFields = Readonly<Record<string, LookedUpField>>;

const metric = (name: string): LookedUpField => ({
  type: "number",
  selects: "public_metrics",
  read: (object) => inner(object, "public_metrics", name),
});
const own = (name: UserField | PostField, type: FieldType): LookedUpField => ({
  type,
  selects: name,
  read: (object) => object[name],
});
const always = (name: string): LookedUpField => ({ type: "text", read: (object) => object[name] });
const maybe = (field: LookedUpField): LookedUpField => ({ ...field, mayBeAbsent: true });

const USER: LookedUpFields = {
  id: always("id"),
  username: always("username"),
  name: always("name"),
  created_at: own("created_at", "time"),
  description: own("description", "text"),
  location: maybe(own("location", "text")),
  url: maybe(own("url", "text")),
  followers_count: metric("followers_count"),
  following_count: metric("following_count"),
  post_count: metric("post_count"),
  listed_count: metric("listed_count"),
  verified: own("verified", "boolean"),
  verified_type: maybe(own("verified_type", "text")),
  protected: own("protected", "boolean"),
  profile_image_url: maybe(own("profile_image_url", "text")),
  profile_banner_url: maybe(own("profile_banner_url", "text")),
  pinned_post_id: maybe(own("pinned_post_id", "text")),
  most_recent_post_id: maybe(own("most_recent_post_id", "text")),
  receives_your_dm: maybe(own("receives_your_dm", "boolean")),
  connection_status: own("connection_status", "list of texts"),
};

const POST: LookedUpFields = {
  id: always("id"),
  text: { type: "text", read: (post) => written(post)?.text },
  full_text: {
    type: "text",
    selects: "note_post",
    read: (post) => written(post, objectAt(post, "note_post"))?.text,
  },
  author_id: own("author_id", "text"),
  created_at: own("created_at", "time"),
  conversation_id: own("conversation_id", "text"),
  in_reply_to_user_id: maybe(own("in_reply_to_user_id", "text")),
  in_reply_to_post_id: maybe(referenced("replied_to")),
  quoted_post_id: maybe(referenced("quoted")),
  reposted_post_id: maybe(referenced("retweeted")),
  hashtags: words("hashtags", "tag"),
  symbols: words("cashtags", "tag"),
  mentions: words("mentions", "username"),
  urls: { type: "list of texts", selects: "entities", read: (post) => written(post)?.urls },
  lang: maybe(own("lang", "text")),
  sensitive: maybe(own("possibly_sensitive", "boolean")),
  reply_settings: maybe(own("reply_settings", "text")),
  source: maybe(own("source", "text")),
  repost_count: metric("repost_count"),
  reply_count: metric("reply_count"),
  like_count: metric("like_count"),
  quote_count: metric("quote_count"),
  bookmark_count: maybe(metric("bookmark_count")),
  impression_count: maybe(metric("impression_count")),
};

/** Fields that are always requested with a post: its text is converted to the form that its author wrote. */
const TEXT_FIELDS = ["entities", "referenced_posts"] as const;

/** Fields that a look-up of a user or post can return. */
export const LOOKED_UP: Readonly<Record<LookedUpKind, ReadonlyMap<string, LookedUpField>>> = {
  user: new Map(Object.entries(USER)),
  post: new Map(Object.entries(POST)),
};

/** Returns the names of the fields of a result: the fields that every response has, then the requested ones. */
export function resultFields(of: LookedUpKind, requested: readonly string[]): readonly string[] {
  const defaults = [...LOOKED_UP[of]].flatMap(([name, { selects }]) => (selects ? [] : [name]));
  const valid = requested.filter((name) => LOOKED_UP[of].has(name));
  return [...new Set([...defaults, ...valid])];
}

/** Returns the fields to request from the platform, in the spelling `post`, for the fields that a rule requests. */
export function selectedFields(
  of: LookedUpKind,
  requested: readonly string[],
): readonly (UserField | PostField)[] {
  const fields = requested.flatMap((name) => LOOKED_UP[of].get(name)?.selects ?? []);
  return [...new Set([...(of === "post" ? TEXT_FIELDS : []), ...fields])];
}

/**
 * Returns the result of a look-up: the requested fields by their names in rules. Fields without a value are left out.
 */
export function lookedUpObject(
  of: LookedUpKind,
  requested: readonly string[],
  object: object,
): Readonly<Record<string, Json>> {
  const readable: ReadObject = { ...object };
  return Object.fromEntries(
    resultFields(of, requested).flatMap((name) => {
      const field = LOOKED_UP[of].get(name);
      const value = field && valueOf(field, field.read(readable));
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Returns a value if it has its field's type, else `undefined`. A missing list becomes an empty list. */
function valueOf({ type }: LookedUpField, value: unknown): Json | undefined {
  switch (type) {
    case "text":
      return typeof value === "string" ? value : undefined;
    case "number":
      return typeof value === "number" ? value : undefined;
    case "boolean":
      return typeof value === "boolean" ? value : undefined;
    case "time":
      return typeof value === "string" && !Number.isNaN(Date.parse(value)) ? value : undefined;
    case "list of texts":
      return listOf(value).filter((one) => typeof one === "string");
  }
}

function inner(object: ReadObject, part: string, name: string): unknown {
  const value = object[part];
  return isObject(value) ? value[name] : undefined;
}

/**
 * Returns the text and links of a post as its author wrote them, like those of an event. Handles that the platform adds
 * before a reply stay in the text. Undefined without a text.
 *
 * @param part The post, or its `note_post` with the full text.
 */
function written(post: ReadObject, part: ReadObject | undefined = post) {
  const { text } = part;
  if (typeof text !== "string") return undefined;
  const urls = objectsAt(objectAt(part, "entities"), "urls");
  const media = urls.filter((one) => textAt(one, "media_key") !== undefined);
  const [quoted] = objectsAt(post, "referenced_posts").filter((one) => one["type"] === "quoted");
  return textOf(
    wholeText(text),
    { urls: urls.filter((one) => !media.includes(one)), media },
    { id: textAt(quoted, "id"), shortUrl: undefined },
  );
}

/** Creates the field with the id of a post to which the post refers as `how`, such as `quoted`. */
function referenced(how: string): LookedUpField {
  const read = (post: ReadObject): unknown =>
    listOf(post["referenced_posts"]).find((one) => isObject(one) && one["type"] === how);
  return {
    type: "text",
    selects: "referenced_posts",
    read: (post) => {
      const one = read(post);
      return isObject(one) ? one["id"] : undefined;
    },
  };
}

/** Creates the field with all tags or handles in the text of a post. */
function words(kind: string, member: string): LookedUpField {
  return {
    type: "list of texts",
    selects: "entities",
    read: (post) =>
      listOf(inner(post, "entities", kind)).map((one) => (isObject(one) ? one[member] : undefined)),
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is ReadObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
