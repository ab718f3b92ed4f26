import type { Person, PostSnapshot } from "./event.ts";

/** Type of an event's field. Expressions see a time as ISO text. */
export type FieldType = "text" | "number" | "boolean" | "list of texts" | "time";

/** A field's value. Times are milliseconds since the epoch. Undefined if the event lacks the field. */
export type FieldValue = string | number | boolean | readonly string[] | undefined;

/** Field that rules can read from an event of type `T`. */
export interface EventField<T> {
  readonly type: FieldType;
  /** Whether some events of the kind lack the field, so that expressions must check for it. */
  readonly mayBeAbsent?: boolean;
  read(of: T): FieldValue;
}

/** Fields by path: `author.followers_count`. */
export type FieldsOf<T> = Readonly<Record<string, EventField<T>>>;

export const text = <T>(read: (of: T) => string | undefined): EventField<T> => ({
  type: "text",
  read,
});
export const count = <T>(read: (of: T) => number | undefined): EventField<T> => ({
  type: "number",
  read,
});
export const flag = <T>(read: (of: T) => boolean | undefined): EventField<T> => ({
  type: "boolean",
  read,
});
export const time = <T>(read: (of: T) => number | undefined): EventField<T> => ({
  type: "time",
  read,
});
export const texts = <T>(read: (of: T) => readonly string[]): EventField<T> => ({
  type: "list of texts",
  read,
});

/** Marks a field as one that some events lack. */
export const maybe = <T>(field: EventField<T>): EventField<T> => ({
  type: field.type,
  mayBeAbsent: true,
  read: (of) => field.read(of),
});

/** Marks all fields of an optional part as fields that some events lack. */
function maybeAll<T>(fields: FieldsOf<T>): FieldsOf<T> {
  return Object.fromEntries(Object.entries(fields).map(([path, field]) => [path, maybe(field)]));
}

/** Returns the fields of a part of `T`, such as a post's author, with `prefix` before their paths. */
export function part<T, P>(
  prefix: string,
  fields: FieldsOf<P>,
  read: (of: T) => P | undefined,
): FieldsOf<T> {
  return Object.fromEntries(
    Object.entries(fields).map(([path, field]) => [
      `${prefix}.${path}`,
      {
        type: field.type,
        ...(field.mayBeAbsent === true ? { mayBeAbsent: true } : {}),
        read: (of: T) => {
          const inner = read(of);
          return inner === undefined ? undefined : field.read(inner);
        },
      },
    ]),
  );
}

/** Fields of a person. */
export const PERSON: FieldsOf<Person> = {
  id: text((person) => person.id),
  username: text((person) => person.username),
  name: text((person) => person.name),
  description: maybe(text((person) => person.description)),
  location: maybe(text((person) => person.location)),
  url: maybe(text((person) => person.url)),
  followers_count: count((person) => person.followersCount),
  following_count: count((person) => person.followingCount),
  post_count: count((person) => person.postCount),
  listed_count: maybe(count((person) => person.listedCount)),
  like_count: maybe(count((person) => person.likeCount)),
  profile_image_url: maybe(text((person) => person.profileImageUrl)),
  verified: flag((person) => person.verified),
  protected: flag((person) => person.protected),
  created_at: time((person) => person.createdAt),
};

/** `sender.…` fields of events that a person caused. */
export const SENDER = part("sender", PERSON, (event: { readonly sender: Person }) => event.sender);

const ONE_POST: FieldsOf<PostSnapshot> = {
  id: text((post) => post.id),
  text: text((post) => post.text),
  full_text: text((post) => post.fullText ?? post.text),
  raw_text: text((post) => post.rawText ?? post.fullText ?? post.text),
  created_at: time((post) => post.createdAt),
  in_reply_to_post_id: maybe(text((post) => post.inReplyToPostId)),
  in_reply_to_user_id: maybe(text((post) => post.inReplyToUserId)),
  in_reply_to_username: maybe(text((post) => post.inReplyToUsername)),
  quoted_post_id: maybe(text((post) => post.quotedPostId)),
  hashtags: texts((post) => post.hashtags),
  cashtags: texts((post) => post.cashtags ?? []),
  urls: texts((post) => post.urls),
  mentions: texts((post) => post.mentions.map((mention) => mention.username)),
  mention_ids: texts((post) => post.mentions.map((mention) => mention.id)),
  thread_mentions: texts((post) => post.threadMentions.map((mention) => mention.username)),
  media_urls: texts((post) => post.mediaUrls ?? []),
  media_types: texts((post) => post.mediaTypes ?? []),
  source_app_name: maybe(text((post) => post.sourceAppName)),
  source_app_url: maybe(text((post) => post.sourceAppUrl)),
  repost_count: maybe(count((post) => post.repostCount)),
  reply_count: maybe(count((post) => post.replyCount)),
  like_count: maybe(count((post) => post.likeCount)),
  quote_count: maybe(count((post) => post.quoteCount)),
  lang: maybe(text((post) => post.lang)),
  sensitive: maybe(flag((post) => post.sensitive)),
  edit_of: maybe(text((post) => post.versions?.[0])),
  version: count((post) => post.versions?.length ?? 1),
  former_text: maybe(text((post) => post.formerText)),
  ...part("author", PERSON, (post: PostSnapshot) => post.author),
};

const POST: FieldsOf<PostSnapshot> = {
  ...ONE_POST,
  ...part("quoted", maybeAll(ONE_POST), (post: PostSnapshot) => post.quoted),
  ...part("reposted", maybeAll(ONE_POST), (post: PostSnapshot) => post.reposted),
};

/** `post.…` and `text` fields of events about a post. */
export const POSTED: FieldsOf<{ readonly post: PostSnapshot }> = {
  ...part("post", POST, (event: { readonly post: PostSnapshot }) => event.post),
  text: text((event) => event.post.text),
};
