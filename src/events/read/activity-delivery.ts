import { DATA_WORDS } from "../../protocol/dialects.ts";
import { renameKeys } from "../../protocol/rename-keys.ts";
import { hasOwnId, isActivityEventType } from "../activity-event-types.ts";
import { activityAccount } from "./delivery-accounts.ts";
import { withoutGaps } from "../person.ts";
import { idAt, numberAt, objectAt, objectsAt, textAt, type Wire, wireOf } from "../wire.ts";
import { idTime } from "./id-time.ts";
import { type ActivityReading, postTold, type Told } from "./activity-post.ts";
import type { ReadIncludes, ReadUser } from "./objects.ts";
import { postInDelivery } from "./post.ts";
import { readMediaOf, readPostOf, readUserOf } from "./read-objects.ts";
import { userInMessages, userInPosts } from "./user.ts";

const POST_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries(DATA_WORDS).map(([post, tweet]) => [tweet, post]),
);

/**
 * Converts a body of the activity interface to the equivalent account activity deliveries, with the same keys, lanes,
 * triggers, people and texts.
 *
 * @param body The parsed JSON body of one event or several. Field names may contain `post` or `tweet`.
 * @returns `undefined` if the body is not of the activity interface. An event that can't be read stays unconverted.
 */
export function activityDeliveries(
  body: object,
  reading: ActivityReading,
): readonly object[] | undefined {
  const whole = wireOf(body);
  if (whole === undefined || "for_user_id" in whole) return undefined;
  const { data } = whole;
  const elements: readonly unknown[] = Array.isArray(data) ? data : [data];
  if (elements.length === 0 || !elements.every(isActivity)) return undefined;
  return elements.map((element) => {
    const event = wireOf(renameKeys(element, POST_WORDS));
    const accountActivity = event && accountActivityOf(event, reading);
    return accountActivity ?? (elements.length === 1 ? body : { data: element });
  });
}

function isActivity(element: unknown): boolean {
  return textAt(wireOf(element), "event_type") !== undefined;
}

function accountActivityOf(event: Wire, reading: ActivityReading): Wire | undefined {
  const type = textAt(event, "event_type") ?? "";
  const account = activityAccount(event);
  const payload = objectAt(event, "payload");
  if (type === "oauth.revoke") return revokedTold(payload);
  if (account === undefined || payload === undefined || !isActivityEventType(type))
    return undefined;
  const toldActivity: Told = { type, account, payload, includes: includesOf(event) };
  if (type === "post.delete") return postDeleted(toldActivity);
  if (type.startsWith("post.")) return postTold(toldActivity, reading);
  if (type.startsWith("dm.")) return messageTold(toldActivity);
  if (type === "like.create") {
    return likeTold(toldActivity, textAt(objectAt(event, "filter"), "direction"));
  }
  return hasOwnId(type) ? undefined : relationTold(toldActivity, idAt(event, "event_uuid"));
}

function includesOf(event: Wire): ReadIncludes {
  const includes = objectAt(event, "includes");
  return {
    users: objectsAt(includes, "users").flatMap((one) => userOf(one) ?? []),
    posts: objectsAt(includes, "posts").flatMap((one) => readPostOf(one) ?? []),
    media: objectsAt(includes, "media").flatMap((one) => readMediaOf(one) ?? []),
  };
}

function postDeleted({ account, payload }: Told): Wire | undefined {
  const id = idAt(payload);
  const user_id = idAt(payload, "author_id");
  if (id === undefined || user_id === undefined) return undefined;
  return { for_user_id: account, post_delete_events: [{ status: { id, user_id } }] };
}

/** Reads a user. In some events the user is under `data`. */
function userOf(wire: Wire | undefined): ReadUser | undefined {
  return readUserOf(objectAt(wire, "data") ?? wire);
}

/** Converts the end of the app's authorization. Its filter is empty. */
function revokedTold(payload: Wire | undefined): Wire | undefined {
  const [user_id, app_id] = [idAt(payload, "user_id"), idAt(payload, "app_id")];
  const date_time = textAt(payload, "date_time");
  if (user_id === undefined || app_id === undefined || date_time === undefined) return undefined;
  return { user_event: { revoke: { date_time, target: { app_id }, source: { user_id } } } };
}

/**
 * Converts a like. The payload does not name the person who likes: it is the account or, for a like of the account's
 * post, the other user in `includes`. The platform's example includes only the author of the post. Such a like of the
 * account's post is unreadable, because it may be a stranger's.
 */
function likeTold(
  { account, payload, includes }: Told,
  direction: string | undefined,
): Wire | undefined {
  const { users = [], posts = [] } = includes;
  // the platform's description has `tweet_author_id`, its examples have `liked_tweet_author_id`
  const author_id = [
    "tweet_author_id",
    "liked_tweet_author_id",
    "post_author_id",
    "liked_post_author_id",
  ]
    .map((key) => idAt(payload, key))
    .find((id) => id !== undefined);
  const postId = idAt(payload, "liked_tweet_id") ?? idAt(payload, "liked_post_id");
  const created_at = textAt(payload, "created_at");
  const isOwn = direction === "outbound" || author_id !== account;
  const likerId = isOwn ? account : users.find(({ id }) => id !== account)?.id;
  if (author_id === undefined || postId === undefined || likerId === undefined) return undefined;
  const liker = users.find(({ id }) => id === likerId) ?? { id: likerId };
  const author = users.find(({ id }) => id === author_id) ?? { id: author_id };
  const post = posts.find(({ id }) => id === postId) ?? {
    id: postId,
    text: "",
    author_id,
    // `created_at` of the payload is the time of the like in the platform's examples
    created_at: new Date(idTime(postId) ?? Date.parse(created_at ?? "1970")).toISOString(),
  };
  return {
    for_user_id: account,
    favorite_events: [
      withoutGaps({
        id: idAt(payload),
        created_at,
        timestamp_ms: numberAt(payload, "timestamp_ms"),
        favorited_status: postInDelivery(post, { ...includes, users: [author] }),
        user: userInPosts(liker),
      }),
    ],
  };
}

const MESSAGE_KEYS = [
  "direct_message_events",
  "direct_message_indicate_typing_events",
  "direct_message_mark_read_events",
] as const;

/** Copies a message event, which already has the form of account activity, and converts its people. */
function messageTold({ account, payload }: Told): Wire | undefined {
  const key = MESSAGE_KEYS.find((one) => objectsAt(payload, one).length > 0);
  if (key === undefined) return undefined;
  const people = Object.entries(objectAt(payload, "users") ?? {}).map(([id, one]) => {
    const user = readUserOf(objectAt(wireOf(one), "data"));
    return [id, user === undefined ? one : userInMessages(user)] as const;
  });
  return {
    for_user_id: account,
    [key]: payload[key],
    ...("apps" in payload ? { apps: payload["apps"] } : {}),
    users: Object.fromEntries(people),
  };
}

/** Converts a follow, block or mute. @param id Random id of the event, because the payload has neither id nor time. */
function relationTold({ type, account, payload }: Told, id: string | undefined): Wire | undefined {
  const [family = "", kind] = type.split(".");
  const [source, target] = ["source", "target"].map((key) => userOf(objectAt(payload, key)));
  if (source === undefined || target === undefined || id === undefined) return undefined;
  return {
    for_user_id: account,
    [`${family}_events`]: [
      {
        type: kind,
        id,
        target: userInPosts(target),
        source: userInPosts(source),
      },
    ],
  };
}
