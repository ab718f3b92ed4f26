import type { WireObject } from "../selection.ts";
import type { EventKey } from "../../../protocol/event-keys.ts";
import { relationships, relationshipKey, type UserRow, users } from "../../model/accounts.ts";
import { messages } from "../../model/messages.ts";
import { posts } from "../../model/posts.ts";
import type { SandboxWorld } from "../../kernel/world/sandbox-world.ts";
import { mentionedIn } from "../../model/text/mentions.ts";
import type { ActivityKind, ActivityRow } from "../../model/activity.ts";
import { messageInEvent, peopleOf } from "./message.ts";
import { postInEvent } from "./post.ts";
import { userInMessage, userInPost, userInRelationEvent } from "./user.ts";
import { dateText } from "./wire.ts";

/** Top-level key of a webhook body by kind of activity. */
export const EVENT_KEY_OF: Readonly<Record<Exclude<ActivityKind, "profile">, EventKey>> = {
  post: "post_create_events",
  delete: "post_delete_events",
  like: "favorite_events",
  follow: "follow_events",
  unfollow: "follow_events",
  block: "block_events",
  unblock: "block_events",
  mute: "mute_events",
  unmute: "mute_events",
  message: "direct_message_events",
  typing: "direct_message_indicate_typing_events",
  read: "direct_message_mark_read_events",
  revoke: "user_event",
};

/**
 * Renders the event body of an activity for `forUserId`, with `post` (not `tweet`) in names; `undefined` if the
 * activity's post, message or user no longer exists.
 */
export function renderActivity(
  world: SandboxWorld,
  activity: ActivityRow,
  forUserId: string,
): WireObject | undefined {
  const by = users.in(world).get(activity.by);
  if (by === undefined) return undefined;
  if (activity.kind === "revoke") return revoke(activity);
  const rest = bodyOf(world, activity, by, forUserId);
  return rest === undefined ? undefined : { for_user_id: forUserId, ...rest };
}

function bodyOf(
  world: SandboxWorld,
  activity: ActivityRow,
  by: UserRow,
  forUserId: string,
): WireObject | undefined {
  if (activity.kind === "profile") return undefined;
  const key = EVENT_KEY_OF[activity.kind];
  const to = activity.to === undefined ? undefined : users.in(world).get(activity.to);
  switch (activity.kind) {
    case "post":
      return postCreated(world, activity, forUserId);
    case "delete":
      return {
        [key]: [
          { status: { id: activity.ref, user_id: by.id }, timestamp_ms: String(activity.at) },
        ],
      };
    case "like":
      return liked(world, activity, by, forUserId);
    case "message":
      return message(world, activity, forUserId);
    case "typing":
    case "read":
      return to === undefined
        ? undefined
        : { [key]: [indicator(activity)], ...usersMap(world, [by, to]) };
    case "revoke":
      return undefined;
    case "follow":
    case "unfollow":
    case "block":
    case "unblock":
    case "mute":
    case "unmute":
      if (to === undefined) return undefined;
      return {
        [key]: [
          {
            type: activity.kind,
            created_timestamp: String(activity.at),
            target: userInRelationEvent(world, to),
            source: userInRelationEvent(world, by),
          },
        ],
      };
  }
}

function postCreated(
  world: SandboxWorld,
  activity: ActivityRow,
  forUserId: string,
): WireObject | undefined {
  const post = posts.in(world).get(activity.ref ?? "");
  if (post === undefined) return undefined;
  const events = { post_create_events: [postInEvent(world, post, forUserId)] };
  if (post.authorId === forUserId || post.repostOf !== undefined) return events;
  const mentioned = [...mentionedIn(world, post), ...(post.taggedIds ?? [])].includes(forUserId);
  const isReplyToUser =
    post.replyTo !== undefined && posts.in(world).get(post.replyTo)?.authorId === forUserId;
  if (!mentioned && !isReplyToUser) return events;
  const blocked =
    relationships.in(world).get(relationshipKey("block", forUserId, post.authorId)) !== undefined;
  return {
    user_has_blocked: String(blocked),
    ...(blocked ? { is_blocked_by: true } : {}),
    ...events,
  };
}

function liked(
  world: SandboxWorld,
  activity: ActivityRow,
  by: UserRow,
  forUserId: string,
): WireObject | undefined {
  const post = posts.in(world).get(activity.ref ?? "");
  if (post === undefined) return undefined;
  return {
    favorite_events: [
      {
        id: activity.like ?? activity.id,
        created_at: dateText(activity.at),
        timestamp_ms: activity.at,
        favorited_status: postInEvent(world, post, forUserId),
        user: userInPost(world, by),
      },
    ],
  };
}

function message(
  world: SandboxWorld,
  activity: ActivityRow,
  forUserId: string,
): WireObject | undefined {
  const row = messages.in(world).get(activity.ref ?? "");
  if (row === undefined) return undefined;
  return {
    ...messageInEvent(world, row, forUserId),
    ...usersMap(world, peopleOf(world, row)),
  };
}

/** Renders a typing or read indicator, which webhooks of account activity and the activity interface show alike. */
export function indicator(activity: ActivityRow): WireObject {
  return {
    created_timestamp: String(activity.at),
    sender_id: activity.by,
    target: { recipient_id: activity.to },
    ...(activity.kind === "read" ? { last_read_event_id: activity.ref } : {}),
  };
}

function usersMap(world: SandboxWorld, people: readonly UserRow[]): WireObject {
  return { users: Object.fromEntries(people.map((user) => [user.id, userInMessage(world, user)])) };
}

/** Renders a user's revocation of an app's access: without `for_user_id`, and with `+00:00` in place of `Z`. */
function revoke(activity: ActivityRow): WireObject {
  return {
    user_event: {
      revoke: {
        date_time: new Date(activity.at).toISOString().replace(/\.\d{3}Z$/, "+00:00"),
        target: { app_id: activity.ref },
        source: { user_id: activity.by },
      },
    },
  };
}

/** Renders the event body that reports the end of a replay job. */
export function renderReplayStatus(
  webhookId: string,
  jobId: string,
  complete: boolean,
): WireObject {
  return {
    replay_job_status: {
      webhook_id: webhookId,
      job_state: complete ? "Complete" : "Incomplete",
      job_state_description: complete
        ? "Job completed successfully"
        : "Job failed to deliver all events, please retry your replay job",
      job_id: jobId,
    },
  };
}
