import { groupOf } from "../../../events/conversation.ts";
import type { AccountEvent, Person, PostSnapshot } from "../../../events/event.ts";
import { withoutGaps } from "../../../events/person.ts";
import { present } from "../../../system/present.ts";

/** An event as written in a test: its trigger, and the value under it. */
export interface WrittenEvent {
  readonly trigger: string;
  readonly doing: Readonly<Record<string, unknown>>;
}

const POSTS = ["post.replied", "post.mentioned", "post.quoted"] as const;

/**
 * Returns an event in the notation of tests, once for each of its triggers. Empty for an event that a test can't
 * contain.
 */
export function writtenEvents(event: AccountEvent, from: string): readonly WrittenEvent[] {
  const as = (trigger: string, doing: object = {}): WrittenEvent => ({
    trigger,
    doing: { from, ...doing },
  });
  if (event.direction !== "inbound") return [];
  switch (event.kind) {
    case "message": {
      const { text, hashtags, cashtags = [], urls, ...message } = event.message;
      const around = withoutGaps({
        conversation: groupOf(event),
        media_url: message.mediaUrl,
        media_type: message.mediaType,
        source_app_id: message.sourceAppId,
        source_app_name: message.sourceAppName,
        source_app_url: message.sourceAppUrl,
      });
      return [as("dm.received", { text, ...filled({ hashtags, cashtags, urls }), ...around })];
    }
    case "post": {
      const { text, hashtags, cashtags = [], urls, reposted } = event.post;
      if (reposted !== undefined) {
        return [as("post.reposted", { text: reposted.text, ...countersOf(reposted) })];
      }
      const said = { text, ...filled({ hashtags, cashtags, urls }), ...aroundText(event.post) };
      const queries = event.triggers.includes("post.found") ? (event.foundBy ?? []) : [];
      const addressed = {
        ...said,
        ...(event.senderIsBlocked === true && { sender_blocked: true }),
      };
      return [
        ...POSTS.filter((one) => event.triggers.includes(one)).map((one) => as(one, addressed)),
        ...queries.map((query) => as("post.found", { ...said, query })),
      ];
    }
    case "like":
      return [as("post.liked", { text: event.post.text, ...countersOf(event.post) })];
    case "typing":
    case "read":
    case "relation":
      return event.triggers.map((one) => as(one));
    case "link_lost":
    case "link_restored": {
      const seconds = Math.max(0, Math.round((event.at - event.link.since) / 1_000));
      const doing = { for: `${seconds}s`, reason: event.link.reason };
      return event.triggers.map((trigger) => ({ trigger, doing }));
    }
    case "post_deleted":
    case "revoked":
    case "replay_finished":
    case "count":
    case "schedule":
    case "answer_by_hand":
    case "unrecognised":
      return [];
  }
}

function aroundText(post: PostSnapshot): object {
  const { mediaUrls = [], mediaTypes = [] } = post;
  const media = mediaUrls.map((url, place) => ({ url, type: mediaTypes[place] ?? "photo" }));
  return withoutGaps({
    lang: post.lang,
    source_app_name: post.sourceAppName,
    source_app_url: post.sourceAppUrl,
    ...filled({ media }),
    ...countersOf(post),
  });
}

function countersOf(post: PostSnapshot): object {
  return withoutGaps({
    repost_count: post.repostCount,
    reply_count: post.replyCount,
    like_count: post.likeCount,
    quote_count: post.quoteCount,
  });
}

function filled(lists: Readonly<Record<string, readonly unknown[]>>): object {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
}

/** Returns the name of a person in a test file: the handle if it is a valid key, else `user_` and the id. */
export function userKey({ id, username }: Pick<Person, "id" | "username">): string {
  return username !== undefined && /^[A-Za-z_]\w*$/.test(username) ? username : `user_${id}`;
}

/** Converts a person to the notation of test files. */
export function writtenPerson(person: Person): Readonly<Record<string, unknown>> {
  const { id, username, createdAt } = person;
  const all = {
    id,
    username: username === userKey(person) ? undefined : username,
    name: person.name,
    description: person.description,
    location: person.location,
    url: person.url,
    followers_count: person.followersCount,
    following_count: person.followingCount,
    post_count: person.postCount,
    listed_count: person.listedCount,
    like_count: person.likeCount,
    profile_image_url: person.profileImageUrl,
    verified: person.verified,
    protected: person.protected,
    created_at: createdAt === undefined ? undefined : new Date(createdAt).toISOString(),
  };
  const entries = Object.entries(all).map(([key, value]) =>
    value === undefined || value === "" ? undefined : ([key, value] as const),
  );
  return Object.fromEntries(present(entries));
}
