import {
  POST_EXPANSIONS,
  POST_FIELDS,
  USER_FIELDS,
  MEDIA_FIELDS,
} from "../../../protocol/fields.ts";
import { type UserRow, users, DEFAULT_IMAGE } from "../../model/accounts.ts";
import type { ActivityRow } from "../../model/activity.ts";
import { messages } from "../../model/messages.ts";
import { posts } from "../../model/posts.ts";
import { renderUser } from "../users.ts";
import { Includes } from "../includes.ts";
import type { RenderContext } from "../render-context.ts";
import type { Selection, WireObject } from "../selection.ts";
import { renderPosts } from "../post-documents.ts";
import { PRIVATE_FIELDS } from "../posts.ts";
import { indicator, EVENT_KEY_OF } from "./account-activity.ts";
import { messageInEvent, peopleOf } from "./message.ts";

/** Parts of an event of the activity interface: `payload`, and `includes` with the objects that it refers to. */
interface Told {
  readonly payload: WireObject;
  readonly includes?: unknown;
}

const HIDDEN: ReadonlySet<string> = new Set(PRIVATE_FIELDS);
/** Fields about the requesting user's relation to a person. An event has no requesting user. */
const ASKERS: ReadonlySet<string> = new Set([
  "confirmed_email",
  "connection_status",
  "receives_your_dm",
  "subscribes_to_you",
  "subscription",
]);
const NONE: ReadonlySet<string> = new Set();

/** Selects all public fields of posts, users and media. */
const WHOLE: Selection = {
  fields: {
    post: new Set(POST_FIELDS.filter((name) => !HIDDEN.has(name))),
    user: new Set(USER_FIELDS.filter((name) => !ASKERS.has(name))),
    media: new Set(MEDIA_FIELDS),
    poll: NONE,
    place: NONE,
    dm_event: NONE,
    list: NONE,
    space: NONE,
    topic: NONE,
  },
  expansions: new Set(
    POST_EXPANSIONS.filter((name) =>
      [
        "author_id",
        "attachments.media_keys",
        "referenced_posts.id",
        "referenced_posts.id.author_id",
      ].includes(name),
    ),
  ),
};

/**
 * Renders `payload` and `includes`; `undefined` if the activity's post, message or user no longer exists, or if the
 * activity interface has no event of this kind.
 */
export function payloadOf(context: RenderContext, activity: ActivityRow): Told | undefined {
  const { world } = context;
  const { kind, ref = "", change } = activity;
  const by = users.in(world).get(activity.by);
  const to = users.in(world).get(activity.to ?? "");
  if (by === undefined) return undefined;
  switch (kind) {
    case "post":
      return postTold(context, ref);
    case "delete":
      return { payload: { id: ref, author_id: by.id } };
    case "like":
      return likeTold(context, activity);
    case "message":
      return messageTold(context, ref);
    case "typing":
    case "read":
      if (to === undefined) return undefined;
      return { payload: { [EVENT_KEY_OF[kind]]: [indicator(activity)], ...people([by, to]) } };
    case "profile":
      return change && { payload: { before: change.before, after: change.after } };
    case "revoke":
      return undefined;
    case "follow":
    case "unfollow":
    case "block":
    case "unblock":
    case "mute":
    case "unmute":
      return to && { payload: { source: userOf(context, by), target: userOf(context, to) } };
  }
}

function postTold(context: RenderContext, id: string): Told | undefined {
  const post = posts.in(context.world).get(id);
  if (post === undefined) return undefined;
  const includes = new Includes(context, WHOLE);
  const [payload] = renderPosts(context, [post], WHOLE, includes);
  return payload && { payload, includes: includes.body()["includes"] };
}

/** Renders a like. The payload names the author of the post; the person who likes it is in `includes` only. */
function likeTold(context: RenderContext, activity: ActivityRow): Told | undefined {
  const { world } = context;
  const post = posts.in(world).get(activity.ref ?? "");
  if (post === undefined) return undefined;
  const includes = new Includes(context, WHOLE);
  includes.user(activity.by, "user_id");
  includes.user(post.authorId, "post_author_id");
  includes.post(post.id, "liked_post_id", WHOLE.fields.post);
  return {
    payload: {
      id: activity.like ?? activity.id,
      liked_tweet_id: post.id,
      tweet_author_id: post.authorId,
      created_at: new Date(activity.at).toISOString(),
      timestamp_ms: activity.at,
    },
    includes: includes.body()["includes"],
  };
}

/** Renders a message as in account activity, except that its users are rendered as in API v2. */
function messageTold({ world, viewer = "" }: RenderContext, id: string): Told | undefined {
  const row = messages.in(world).get(id);
  if (row === undefined) return undefined;
  const { direct_message_events } = messageInEvent(world, row, viewer);
  return { payload: { direct_message_events, ...people(peopleOf(world, row)) } };
}

/** Renders the people of a message event, each under `data`. */
function people(all: readonly UserRow[]): WireObject {
  const shown = all.map(({ id, name, username, profile }) => {
    const profile_image_url = profile["profile_image_url"] ?? DEFAULT_IMAGE;
    return [id, { data: { id, name, username, profile_image_url } }] as const;
  });
  return { users: Object.fromEntries(shown) };
}

function userOf(context: RenderContext, user: UserRow): WireObject {
  return renderUser(context, user, WHOLE.fields.user);
}
