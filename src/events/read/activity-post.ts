import type { ActivityEventType } from "../../protocol/activity-event-types.ts";
import { entitiesOf } from "../../protocol/public-text/entities.ts";
import { relatedBody } from "../kinds/post.ts";
import type { Wire } from "../wire.ts";
import type { ReadIncludes, ReadPost } from "./objects.ts";
import { postDelivery } from "./post.ts";
import { readPostOf } from "./read-objects.ts";

/** Look-ups that reading a body of the activity interface needs. */
export interface ActivityReading {
  /** Returns an account's handle, without `@`, to find mentions of the account that the platform does not list. */
  readonly usernameOf: (account: string) => string | undefined;
}

/** Event of the activity interface, after `tweet` in its field names was replaced by `post`. */
export interface Told {
  readonly type: ActivityEventType;
  readonly account: string;
  readonly payload: Wire;
  readonly includes: ReadIncludes;
}

/** Event types of posts that refer to a post of the account, with the kind of the reference. */
const REFERENCES: Partial<
  Record<ActivityEventType, { readonly type: string; readonly relation: "quoted" | "reposted" }>
> = {
  "post.quote.create": { type: "quoted", relation: "quoted" },
  "post.repost.create": { type: "retweeted", relation: "reposted" },
};

/**
 * Converts a post of the activity interface to an account activity delivery. The event type supplies the relation to
 * the account that the payload omits.
 */
export function postTold(event: Told, reading: ActivityReading): Wire | undefined {
  const post = readPostOf(event.payload);
  const delivery = post && deliveryOf(post, event, reading);
  const reference = REFERENCES[event.type];
  if (delivery === undefined || reference === undefined) return delivery;
  const isKnown = post?.referenced_posts?.some(({ type }) => type === reference.type) ?? false;
  return isKnown ? delivery : relatedBody(delivery, reference.relation);
}

function deliveryOf(
  post: ReadPost,
  { type, account, includes }: Told,
  { usernameOf }: ActivityReading,
): Wire | undefined {
  const { users = [], posts = [], media = [] } = includes;
  const isKnown = users.some(({ id }) => id === post.author_id);
  const people = isKnown ? users : [...users, { id: post.author_id }];
  if (post.author_id === account) {
    return postDelivery(account, post, { users: people, posts, media });
  }
  const own = { id: account, username: usernameOf(account) };
  const concerned = concerning(type, post, own);
  const others = referencedOf(concerned, type, account, posts);
  return postDelivery(account, concerned, {
    users: people.some(({ id }) => id === account) ? people : [...people, own],
    posts: [...posts, ...others],
    media,
  });
}

/** Adds a post's relation to the account, a reply or a mention, from the event type if the payload omits it. */
function concerning(
  type: ActivityEventType,
  post: ReadPost,
  { id, username }: { readonly id: string; readonly username: string | undefined },
): ReadPost {
  const textMentions = (post.note_post ?? post).entities?.mentions ?? [];
  const text = (post.note_post ?? post).text;
  const span = username === undefined ? undefined : spanOfHandle(text, username);
  const isNamed = type === "post.mention.create" || span !== undefined;
  const isRepost =
    type === "post.repost.create" ||
    (post.referenced_posts?.some((one) => one.type === "retweeted") ?? false);
  const isReply = type === "post.reply.create" && post.in_reply_to_user_id === undefined;
  const isMissing = isNamed && !isRepost && !textMentions.some((mention) => mention.id === id);
  return {
    ...post,
    ...(isReply ? { in_reply_to_user_id: id } : {}),
    ...(isMissing
      ? withMention(post, { id, username: username ?? "", ...(span ?? { start: 0, end: 0 }) })
      : {}),
  };
}

function withMention(
  post: ReadPost,
  mention: {
    readonly id: string;
    readonly username: string;
    readonly start: number;
    readonly end: number;
  },
): Partial<ReadPost> {
  const { note_post: note, entities } = post;
  const more = (of: ReadPost["entities"]) => ({
    ...of,
    mentions: [
      ...(of?.mentions ?? []).filter(({ username }) => username !== mention.username),
      mention,
    ],
  });
  if (note === undefined) return { entities: more(entities) };
  return { note_post: { ...note, entities: more(note.entities) } };
}

/** Finds the last mention of a handle. Earlier ones may be handles that the platform copied from the thread. */
function spanOfHandle(
  text: string,
  username: string,
): { readonly start: number; readonly end: number } | undefined {
  const own = username.toLowerCase();
  return entitiesOf(text).findLast(
    ({ kind, word }) => kind === "mention" && word.toLowerCase() === own,
  );
}

/**
 * Creates a substitute for a quoted or reposted post that `includes` omits. The event type implies that the account is
 * its author.
 */
function referencedOf(
  post: ReadPost,
  type: ActivityEventType,
  account: string,
  posts: readonly ReadPost[],
): readonly ReadPost[] {
  const id = post.referenced_posts?.find((one) => one.type === REFERENCES[type]?.type)?.id;
  if (id === undefined || posts.some((one) => one.id === id)) return [];
  return [{ id, text: "", author_id: account, created_at: post.created_at }];
}
