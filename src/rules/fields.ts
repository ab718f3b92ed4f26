import type {
  AccountEvent,
  LikeEvent,
  Message,
  MessageEvent,
  Person,
  Post,
  PostEvent,
} from "../events/event.ts";

/** What a field of an event holds. A time is ISO text to expressions. */
export type FieldType = "text" | "number" | "boolean" | "list of texts" | "time";

/** A field's value. Times are milliseconds since the epoch. Absent where the event doesn't tell. */
export type FieldValue = string | number | boolean | readonly string[] | undefined;

/** One field of `T`, by its path from there. */
export interface Field<T> {
  readonly type: FieldType;
  readonly read: (of: T) => FieldValue;
}

/** Fields by path: `author.followers_count`. */
type Fields<T> = Readonly<Record<string, Field<T>>>;

const text = <T>(read: (of: T) => string | undefined): Field<T> => ({ type: "text", read });
const count = <T>(read: (of: T) => number | undefined): Field<T> => ({ type: "number", read });
const flag = <T>(read: (of: T) => boolean | undefined): Field<T> => ({ type: "boolean", read });
const time = <T>(read: (of: T) => number | undefined): Field<T> => ({ type: "time", read });
const texts = <T>(read: (of: T) => readonly string[]): Field<T> => ({
  type: "list of texts",
  read,
});

/** The fields of a part of `T`, their paths led by `prefix`. */
function part<T, P>(prefix: string, fields: Fields<P>, read: (of: T) => P | undefined): Fields<T> {
  return Object.fromEntries(
    Object.entries(fields).map(([path, field]) => [
      `${prefix}.${path}`,
      {
        type: field.type,
        read: (of: T) => {
          const inner = read(of);
          return inner === undefined ? undefined : field.read(inner);
        },
      },
    ]),
  );
}

const PERSON: Fields<Person> = {
  id: text((person) => person.id),
  username: text((person) => person.username),
  name: text((person) => person.name),
  description: text((person) => person.description),
  location: text((person) => person.location),
  url: text((person) => person.url),
  followers_count: count((person) => person.followersCount),
  following_count: count((person) => person.followingCount),
  post_count: count((person) => person.postCount),
  verified: flag((person) => person.verified),
  protected: flag((person) => person.protected),
  created_at: time((person) => person.createdAt),
};

const MESSAGE: Fields<Message> = {
  id: text((message) => message.id),
  text: text((message) => message.text),
  sender_id: text((message) => message.senderId),
  recipient_id: text((message) => message.recipientId),
  conversation_id: text((message) => message.conversationId),
  source_app_id: text((message) => message.sourceAppId),
  hashtags: texts((message) => message.hashtags),
  urls: texts((message) => message.urls),
  mentions: texts((message) => message.mentions.map((mention) => mention.username)),
  media_url: text((message) => message.mediaUrl),
};

const ONE_POST: Fields<Post> = {
  id: text((post) => post.id),
  text: text((post) => post.text),
  created_at: time((post) => post.createdAt),
  in_reply_to_post_id: text((post) => post.inReplyToPostId),
  in_reply_to_user_id: text((post) => post.inReplyToUserId),
  hashtags: texts((post) => post.hashtags),
  urls: texts((post) => post.urls),
  mentions: texts((post) => post.mentions.map((mention) => mention.username)),
  lang: text((post) => post.lang),
  sensitive: flag((post) => post.sensitive),
  ...part("author", PERSON, (post: Post) => post.author),
};

const POST: Fields<Post> = {
  ...ONE_POST,
  ...part("quoted", ONE_POST, (post: Post) => post.quoted),
  ...part("reposted", ONE_POST, (post: Post) => post.reposted),
};

const EVERY: Fields<AccountEvent> = {
  "event.key": text((event) => event.key),
  "event.kind": text((event) => event.kind),
  "event.direction": text((event) => event.direction),
  "event.time": time((event) => event.at),
  "account.id": text((event) => event.accountId),
};

const SENDER = part("sender", PERSON, (event: { readonly sender: Person }) => event.sender);

const POSTED = {
  ...part("post", POST, (event: PostEvent | LikeEvent) => event.post),
  text: text((event: PostEvent | LikeEvent) => event.post.text),
};

/** The event of one kind. */
type OfKind<K extends AccountEvent["kind"]> = Extract<AccountEvent, { readonly kind: K }>;

const BY_KIND: { readonly [K in AccountEvent["kind"]]: Fields<OfKind<K>> } = {
  message: {
    ...SENDER,
    ...part("message", MESSAGE, (event: MessageEvent) => event.message),
    "conversation.id": text((event) => event.message.conversationId),
    text: text((event) => event.message.text),
  },
  typing: SENDER,
  read: { ...SENDER, "read.last_message_id": text((event) => event.lastReadId) },
  post: { ...SENDER, ...POSTED, "sender.blocked": flag((event) => event.senderIsBlocked) },
  post_deleted: { ...SENDER, "post.id": text((event) => event.postId) },
  like: { ...SENDER, ...POSTED },
  relation: {
    ...SENDER,
    ...part("target", PERSON, (event: OfKind<"relation">) => event.target),
  },
  revoked: { ...SENDER, "app.id": text((event) => event.appId) },
  replay_finished: {
    "replay.webhook_id": text((event) => event.webhookId),
    "replay.job_id": text((event) => event.jobId),
    "replay.complete": flag((event) => event.complete),
  },
  unrecognised: {},
};

/** What kind an event is of: decides which fields it carries. */
export type EventKind = AccountEvent["kind"];

/** All fields of events of `kind`, by path. Reading one from an event of another kind gives nothing. */
export function fieldsOf(kind: EventKind): ReadonlyMap<string, Field<AccountEvent>> {
  return FIELDS[kind];
}

function ofKind<K extends EventKind>(
  kind: K,
  fields: Fields<OfKind<K>>,
): ReadonlyMap<string, Field<AccountEvent>> {
  const isIt = (event: AccountEvent): event is OfKind<K> => event.kind === kind;
  const own = Object.entries(fields).map(([path, field]): [string, Field<AccountEvent>] => [
    path,
    {
      type: field.type,
      read: (event) => (isIt(event) ? field.read(event) : undefined),
    },
  ]);
  return new Map([...own, ...Object.entries(EVERY)]);
}

const FIELDS: Readonly<Record<EventKind, ReadonlyMap<string, Field<AccountEvent>>>> = {
  message: ofKind("message", BY_KIND.message),
  typing: ofKind("typing", BY_KIND.typing),
  read: ofKind("read", BY_KIND.read),
  post: ofKind("post", BY_KIND.post),
  post_deleted: ofKind("post_deleted", BY_KIND.post_deleted),
  like: ofKind("like", BY_KIND.like),
  relation: ofKind("relation", BY_KIND.relation),
  revoked: ofKind("revoked", BY_KIND.revoked),
  replay_finished: ofKind("replay_finished", BY_KIND.replay_finished),
  unrecognised: ofKind("unrecognised", BY_KIND.unrecognised),
};
