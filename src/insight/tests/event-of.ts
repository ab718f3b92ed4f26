import { entitiesOf, type TextEntity } from "../../protocol/public-text/entities.ts";
import { groupLaneOf, laneOf } from "../../events/lane.ts";
import type { AccountEvent, Message, Person, PostSnapshot, Relation } from "../../events/event.ts";
import { addressedTo } from "../../events/kinds/post.ts";
import { withoutGaps } from "../../events/person.ts";
import { activityDeliveries } from "../../events/read/activity-delivery.ts";
import { translate } from "../../events/translate.ts";
import { durationMs } from "../../system/duration.ts";
import type { Doing, WrittenPerson } from "./test-file.ts";

/** Account, people and time of an event in a test. */
export interface Scene {
  readonly account: { readonly id: string; readonly username: string };
  /** People of the test file. A mention of their handles in a text gets their user ids. */
  readonly people?: Iterable<Person>;
  /** Person who causes the event. Absent for the loss or restoration of the link to the platform. */
  readonly person?: Person;
  /** Time of the event, in milliseconds since the epoch. */
  readonly at: number;
  /** Id of the event's message or post: digits, unique in a test. */
  readonly id: string;
}

/** A scene whose event is caused by a person, so that `person` is present. */
type Caused = Scene & { readonly person: Person };

type Outage = Extract<Doing, { readonly trigger: `link.${string}` }>;
type Said = Extract<Doing, { readonly trigger: "dm.received" }>;
type About = Extract<Doing, { readonly trigger: "post.reposted" | "post.liked" }>;
type Posted = Extract<
  Doing,
  { readonly trigger: `post.${"mentioned" | "replied" | "quoted" | "edited" | "found"}` }
>;

const RELATION_OF = {
  "user.followed": "follow",
  "user.unfollowed": "unfollow",
  "user.blocked": "block",
  "user.unblocked": "unblock",
  "user.muted": "mute",
  "user.unmuted": "unmute",
} as const satisfies Record<string, Relation>;

/**
 * Converts a recorded webhook delivery (of account activity or the activity interface) to events at the time `at`.
 *
 * @param delivery The parsed body of the delivery.
 */
export function recordedEvents(
  delivery: object,
  { account, at }: Pick<Scene, "account" | "at">,
): AccountEvent[] {
  const usernameOf = (id: string) => (id === account.id ? account.username : undefined);
  const all = activityDeliveries(delivery, { usernameOf }) ?? [delivery];
  return all.flatMap((one) => translate(one, at)).map(({ event }) => ({ ...event, at }));
}

/** Returns the event that the bot would receive for an action in a test. */
export function eventOf(doing: Doing, scene: Scene): AccountEvent {
  const { account, at, id } = scene;
  if (doing.trigger === "link.lost" || doing.trigger === "link.restored") {
    return linkEvent(doing, scene);
  }
  const person = scene.person ?? account;
  const caused = { ...scene, person };
  const occurred = { ...occurredBy(person, account, at), triggers: [doing.trigger] };
  switch (doing.trigger) {
    case "dm.received": {
      const message = messageOf(doing, caused);
      const { conversation: group } = doing;
      const lane = group === undefined ? occurred.lane : groupLaneOf(account.id, group);
      return { ...occurred, lane, kind: "message", key: `message:${message.id}`, message };
    }
    case "dm.typing":
      return { ...occurred, kind: "typing", key: `typing:${id}` };
    case "dm.read":
      return { ...occurred, kind: "read", key: `read:${id}`, lastReadId: id };
    case "post.mentioned":
    case "post.replied":
    case "post.quoted":
    case "post.found": {
      const post = addressedTo(account.id, postOf(doing, caused));
      const foundBy = doing.trigger === "post.found" && { foundBy: [doing.query] };
      const senderIsBlocked = "sender_blocked" in doing ? doing.sender_blocked : undefined;
      const blocked = withoutGaps({ senderIsBlocked });
      return { ...occurred, kind: "post", key: `post:${post.id}`, post, ...foundBy, ...blocked };
    }
    case "post.edited": {
      const post = addressedTo(account.id, postOf(doing, caused));
      const { former_text: formerText } = doing;
      const edited = { ...post, versions: [`${post.id}0`, post.id], formerText };
      const key = `post_edited:${post.id}`;
      return { ...occurred, kind: "post", key, post: withoutGaps(edited) };
    }
    case "post.reposted": {
      const reposted = { ...snapshot(account, doing.text, at, `${id}0`), ...countersOf(doing) };
      const post = { ...snapshot(person, "", at, id), reposted };
      return { ...occurred, kind: "post", key: `post:${id}`, post };
    }
    case "post.liked": {
      const post = { ...snapshot(account, doing.text, at, `${id}0`), ...countersOf(doing) };
      return { ...occurred, kind: "like", key: `like:${id}`, post };
    }
    case "user.followed":
    case "user.unfollowed":
    case "user.blocked":
    case "user.unblocked":
    case "user.muted":
    case "user.unmuted": {
      const relation = RELATION_OF[doing.trigger];
      const key = `${relation}:${id}`;
      return { ...occurred, kind: "relation", key, relation, target: account };
    }
  }
}

/** Properties that all inbound events caused by a person have. */
function occurredBy(person: Person, account: Person, at: number) {
  const lane = laneOf(account.id, person.id);
  return { accountId: account.id, at, direction: "inbound" as const, lane, sender: person };
}

/** Converts a person from the notation of a test file to the form in events. */
export function personOf(key: string, written: WrittenPerson): Person {
  return withoutGaps({
    id: written.id,
    username: written.username ?? key,
    name: written.name,
    description: written.description,
    location: written.location,
    url: written.url,
    followersCount: written.followers_count,
    followingCount: written.following_count,
    postCount: written.post_count,
    listedCount: written.listed_count,
    likeCount: written.like_count,
    profileImageUrl: written.profile_image_url,
    verified: written.verified,
    protected: written.protected,
    createdAt: written.created_at === undefined ? undefined : Date.parse(written.created_at),
  });
}

function linkEvent({ trigger, reason, for: lasted }: Outage, scene: Scene): AccountEvent {
  const { account, at, id } = scene;
  const occurred = {
    key: `${trigger}:${id}`,
    accountId: account.id,
    at,
    direction: "inbound",
    lane: laneOf(account.id, account.id),
    link: { since: at - durationMs(lasted), reason },
  } as const;
  return trigger === "link.lost"
    ? { ...occurred, kind: "link_lost", triggers: ["link.lost"] }
    : { ...occurred, kind: "link_restored", triggers: ["link.restored"] };
}

function messageOf(doing: Said, scene: Caused): Message {
  const { account, person, id } = scene;
  return withoutGaps({
    ...entitiesIn(doing, scene),
    id: doing.id ?? id,
    text: doing.text,
    senderId: person.id,
    recipientId: account.id,
    conversationId: doing.conversation ?? [person.id, account.id].sort(byNumber).join("-"),
    conversationKind: doing.conversation === undefined ? ("private" as const) : ("group" as const),
    participants: participantsOf(doing, scene),
    mediaUrl: doing.media_url,
    mediaType: doing.media_type,
    sourceAppId: doing.source_app_id,
    sourceAppName: doing.source_app_name,
    sourceAppUrl: doing.source_app_url,
  });
}

/** Returns the user ids of a direct message's participants. In a group, these are all people of the test. */
function participantsOf({ conversation }: Said, { account, person, people }: Caused): string[] {
  const others = conversation === undefined ? [] : [...(people ?? [])].map(({ id }) => id);
  return [...new Set([person.id, account.id, ...others])];
}

/**
 * Returns tags, links and mentioned people of a text, as the platform finds them. Tags and links that the test states
 * take precedence.
 */
function entitiesIn(
  { text, hashtags, cashtags, urls }: Said | Posted,
  { account, people }: Scene,
): Pick<PostSnapshot, "hashtags" | "cashtags" | "urls" | "mentions"> {
  const entities = entitiesOf(text);
  const words = (wanted: TextEntity["kind"]): readonly string[] =>
    entities.flatMap(({ kind, word }) => (kind === wanted ? word : []));
  const everyone = [{ ...account, username: calledIn(text, account) }, ...(people ?? [])];
  const named = words("mention").flatMap((handle) => {
    const person = everyone.find((one) => one.username?.toLowerCase() === handle.toLowerCase());
    return person === undefined ? [] : [{ id: person.id, username: handle }];
  });
  return {
    hashtags: hashtags ?? words("hashtag"),
    cashtags: cashtags ?? words("cashtag"),
    urls: urls ?? words("url"),
    mentions: [...new Map(named.map((one) => [one.id, one])).values()],
  };
}

function postOf(doing: Posted, scene: Caused): PostSnapshot {
  const { account, person, at, id } = scene;
  const plain = snapshot(person, doing.text, at, doing.id ?? id);
  const entities = entitiesIn(doing, scene);
  const post = { ...plain, ...entities, ...countersOf(doing), ...aroundText(doing) };
  if (doing.trigger === "post.found") return post;
  const own = snapshot(account, "", at, `${id}0`);
  const named = { id: account.id, username: calledIn(doing.text, account) };
  if (doing.trigger === "post.mentioned" || doing.trigger === "post.edited") {
    const others = post.mentions.filter((one) => one.id !== account.id);
    return { ...post, mentions: [named, ...others] };
  }
  if (doing.trigger === "post.quoted") return { ...post, quoted: own };
  // The platform puts the account's handle before the text of a reply to the account.
  const answering = { inReplyToPostId: own.id, inReplyToUserId: account.id };
  return { ...post, ...answering, threadMentions: [named] };
}

/** Returns a post's language, media and source app, as written in the test. */
function aroundText({ lang, media, source_app_name, source_app_url }: Posted) {
  return withoutGaps({
    lang,
    mediaUrls: media?.map(({ url }) => url),
    mediaTypes: media?.map(({ type }) => type),
    sourceAppName: source_app_name,
    sourceAppUrl: source_app_url,
  });
}

function countersOf(doing: Posted | About) {
  return withoutGaps({
    repostCount: doing.repost_count,
    replyCount: doing.reply_count,
    likeCount: doing.like_count,
    quoteCount: doing.quote_count,
  });
}

/**
 * Returns the account's handle as the text mentions it. If the text does not mention `account.username`, the first
 * mentioned handle is taken for the account's, since a test may omit `account`.
 */
function calledIn(text: string, { username }: Scene["account"]): string {
  const handles = entitiesOf(text).flatMap(({ kind, word }) => (kind === "mention" ? word : []));
  const isNamed = handles.some((one) => one.toLowerCase() === username.toLowerCase());
  return isNamed ? username : (handles[0] ?? username);
}

function snapshot(author: Person, text: string, at: number, id: string): PostSnapshot {
  return {
    id,
    text,
    author,
    createdAt: at,
    mentions: [],
    threadMentions: [],
    hashtags: [],
    urls: [],
  };
}

function byNumber(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : 1);
}
