import { laneOf } from "../lane.ts";
import type { PostSnapshot, PostEvent } from "../event.ts";
import { flag, POSTED, SENDER, texts } from "../fields.ts";
import { withoutAddress } from "../own-words.ts";
import { withoutGaps } from "../person.ts";
import { postOf } from "../post.ts";
import type { Trigger } from "../triggers.ts";
import { flagAt, numberAt, objectAt, textAt, textsAt, type Wire } from "../wire.ts";
import type { Delivery, EventKind } from "./event-kind.ts";

export const post: EventKind<PostEvent> = {
  wire: { keys: ["post_create_events", "answerback_post_edited", "answerback_post_found"], read },
  fields: {
    ...SENDER,
    ...POSTED,
    "sender.blocked": flag((event) => event.senderIsBlocked),
    "post.found_by": texts((event) => event.foundBy ?? []),
  },
  answeredBy: "post",
  counterpart: ({ direction, post, sender }) =>
    direction === "outbound" ? (post.inReplyToUserId ?? sender.id) : sender.id,
};

function read(element: Wire, delivery: Delivery): PostEvent | undefined {
  const foundPost = objectAt(element, "found");
  if (foundPost !== undefined) return readFound(foundPost, numberAt(element, "number"), delivery);
  const edited = objectAt(element, "edited");
  if (edited === undefined) return readPost(element, delivery);
  const event = readPost(edited, delivery);
  if (event === undefined) return undefined;
  const formerText = textAt(element, "former_text");
  const isUnanswered = flagAt(element, "unanswered") === true;
  return {
    ...event,
    key: `post_edited:${event.post.id}`,
    triggers: ["post.edited", ...(isUnanswered ? event.triggers : [])],
    post: { ...event.post, ...(formerText === undefined ? {} : { formerText }) },
  };
}

/**
 * Reads a post that a search found, or that was delivered as a quote, after the bot had received it. The event has only
 * the trigger `post.found` or `post.quoted`.
 */
function readFound(foundPost: Wire, number = 1, delivery: Delivery): PostEvent | undefined {
  const event = readPost(foundPost, delivery);
  if (event === undefined) return undefined;
  const quoted: readonly Trigger[] = isQuoteAlone(delivery.body) ? ["post.quoted"] : [];
  return { ...event, key: foundKey(event, number), triggers: withFound(quoted, event.foundBy) };
}

/** Reads a post. All versions of an edited post have the key of the first version, so that they count as one event. */
function readPost(element: Wire, { body, accountId, arrivedAt }: Delivery): PostEvent | undefined {
  const post = postOf(element, arrivedAt);
  if (post === undefined) return undefined;
  const own = post.author.id === accountId;
  const queries = textsAt(body, FOUND_BY);
  const foundBy = queries.length === 0 ? undefined : queries;
  const relation = textAt(body, RELATION);
  return withoutGaps({
    kind: "post" as const,
    key: keyOf(post.versions?.[0] ?? post.id),
    accountId,
    at: post.createdAt,
    direction: own ? ("outbound" as const) : ("inbound" as const),
    lane: laneOf(accountId, own ? addresseeOf(post, accountId) : post.author.id),
    triggers: own
      ? ownTriggers(post, relation)
      : withFound(triggersFor(post, accountId, relation), foundBy),
    sender: post.author,
    post: own ? post : addressedTo(accountId, post),
    senderIsBlocked: blockedIn(body),
    foundBy: own ? undefined : foundBy,
  });
}

/** Whether the account has blocked the author. The platform adds `is_blocked_by` only if it has. */
function blockedIn(body: Wire): boolean | undefined {
  const { is_blocked_by: sign } = body;
  const isFlagged = flagAt(body, "user_has_blocked");
  if (sign === undefined || sign === null) return isFlagged;
  return flagAt(body, "is_blocked_by") !== false || isFlagged === true;
}

/** Returns the journal keys of the earlier versions of the event's post, latest first. */
export function formerKeys({ post }: Pick<PostEvent, "post">): readonly string[] {
  const [first, ...later] = (post.versions ?? []).slice(0, -1);
  if (first === undefined) return [];
  return [...later.map((id) => `post_edited:${id}`).toReversed(), keyOf(first)];
}

/**
 * Creates the journal body for an edit of a post that was received before; `translate` reads this body.
 *
 * @param body The delivery of the new version, without other elements.
 * @param isUnanswered Whether no earlier version has an answer. The edit then also has the triggers of a new post.
 */
export function editedBody(body: Wire, formerText: string, isUnanswered: boolean): Wire {
  const { post_create_events: posts, tweet_create_events: tweets = posts, ...rest } = body;
  const [edited] = Array.isArray(tweets) ? tweets : [];
  return {
    ...rest,
    answerback_post_edited: [{ edited, former_text: formerText, unanswered: isUnanswered }],
  };
}

/** Key that the runtime adds to the body of a delivery: a {@link Relation}. */
const RELATION = "answerback_relation";

/** How a post refers to another post of which only the existence is known. */
type Relation = "quoted" | "reposted";

/**
 * Adds to a delivery that its post quotes or reposts a post of the account, if the post has no id of the other post;
 * `translate` reads it.
 */
export function relatedBody(delivery: Wire, relation: Relation): Wire {
  return { ...delivery, [RELATION]: relation };
}

/** Whether only {@link relatedBody} shows that the post of a delivery quotes another post. */
export function isQuoteAlone(body: Wire): boolean {
  return body[RELATION] === ("quoted" satisfies Relation);
}

/** Key that the runtime adds to the body of a delivery: the search queries that found the post. */
const FOUND_BY = "answerback_found_by";

/** Adds the queries that found a post to the post's delivery; `translate` reads them. */
export function foundBody(delivery: Wire, queries: readonly string[]): Wire {
  return { ...delivery, [FOUND_BY]: queries };
}

/**
 * Creates the journal body for a post that was found, or delivered as a quote, after the bot had received it;
 * `translate` reads this body.
 *
 * @param body Delivery of the post, without other elements.
 * @param number Number of the event among the post's events of this kind, from 1.
 */
export function foundAgainBody(body: Wire, queries: readonly string[], number: number): Wire {
  const { post_create_events: posts, tweet_create_events: tweets = posts, ...rest } = body;
  const [foundPost] = Array.isArray(tweets) ? tweets : [];
  return { ...foundBody(rest, queries), answerback_post_found: [{ found: foundPost, number }] };
}

/** Returns the journal key of an event from {@link foundAgainBody}, with the same `number`. */
export function foundKey({ post }: Pick<PostEvent, "post">, number: number): string {
  return `post_found:${post.versions?.[0] ?? post.id}:${number}`;
}

/** Adds `post.found` if a search found the post. */
function withFound(
  triggers: readonly Trigger[],
  foundBy: readonly string[] | undefined,
): readonly Trigger[] {
  return foundBy === undefined ? triggers : [...triggers, "post.found"];
}

function keyOf(id: string): string {
  return `post:${id}`;
}

/** Removes from another person's post the handles that address the account. */
export function addressedTo(account: string, post: PostSnapshot): PostSnapshot {
  const handle = [...post.mentions, ...post.threadMentions].find(({ id }) => id === account);
  if (handle === undefined) return post;
  const text = withoutAddress(post.text, handle.username);
  if (text === post.text) return post;
  return { ...post, text, fullText: post.fullText ?? post.text };
}

/** User id of the author whom the account's own post replies to, quotes or reposts; else the account's own id. */
function addresseeOf(post: PostSnapshot, accountId: string): string {
  return post.inReplyToUserId ?? post.quoted?.author.id ?? post.reposted?.author.id ?? accountId;
}

function ownTriggers(post: PostSnapshot, relation: string | undefined): Trigger[] {
  const triggers: Trigger[] = ["post.created"];
  if (post.reposted !== undefined || relation === "reposted") return [...triggers, "post.reposted"];
  if (post.inReplyToPostId !== undefined) triggers.push("post.replied");
  const isQuote = post.quoted !== undefined || post.quotedPostId !== undefined;
  if (isQuote || relation === "quoted") triggers.push("post.quoted");
  if (post.mentions.length > 0) triggers.push("post.mentioned");
  return triggers;
}

/**
 * Triggers of another person's post. Ignores the mentions that a repost copies from the original, and the thread's
 * handles in a reply, because the author did not type them.
 */
function triggersFor(
  post: PostSnapshot,
  accountId: string,
  relation: string | undefined,
): Trigger[] {
  if (relation === "reposted") return ["post.reposted"];
  if (post.reposted !== undefined) {
    return post.reposted.author.id === accountId ? ["post.reposted"] : [];
  }
  const triggers: Trigger[] = [];
  if (post.mentions.some((mention) => mention.id === accountId)) triggers.push("post.mentioned");
  if (post.inReplyToUserId === accountId) triggers.push("post.replied");
  if (post.quoted?.author.id === accountId || relation === "quoted") triggers.push("post.quoted");
  return triggers;
}
