import {
  RELATIONS,
  type LikeEvent,
  type PostDeletedEvent,
  type Relation,
  type RelationEvent,
  type ReplayFinishedEvent,
  type RevokedEvent,
  type Trigger,
} from "./event.ts";
import { personOf } from "./person.ts";
import { postOf } from "./post.ts";
import { dateAt, idAt, numberAt, objectAt, textAt, type Wire } from "./wire.ts";

/** Element of `favorite_events`. */
export function likeEventOf(
  wire: Wire,
  accountId: string,
  arrivedAt: number,
): LikeEvent | undefined {
  const id = textAt(wire, "id");
  const sender = personOf(objectAt(wire, "user"));
  const post = postOf(objectAt(wire, "favorited_status"), arrivedAt);
  if (id === undefined || sender === undefined || post === undefined) return undefined;
  const own = sender.id === accountId;
  return {
    kind: "like",
    key: `like:${id}`,
    accountId,
    at: numberAt(wire, "timestamp_ms") ?? dateAt(wire, "created_at") ?? arrivedAt,
    direction: own ? "outbound" : "inbound",
    lane: `${accountId}/${own ? post.author.id : sender.id}`,
    triggers: ["post.liked"],
    sender,
    post,
  };
}

const RELATION_TRIGGERS: Readonly<Record<Relation, Trigger>> = {
  follow: "user.followed",
  unfollow: "user.unfollowed",
  block: "user.blocked",
  unblock: "user.unblocked",
  mute: "user.muted",
  unmute: "user.unmuted",
};

/** Element of `follow_events`, `block_events` or `mute_events`. */
export function relationEventOf(
  wire: Wire,
  accountId: string,
  arrivedAt: number,
): RelationEvent | undefined {
  const relation = RELATIONS.find((name) => name === wire["type"]);
  const sender = personOf(objectAt(wire, "source"));
  const target = personOf(objectAt(wire, "target"));
  if (relation === undefined || sender === undefined || target === undefined) return undefined;
  const at = numberAt(wire, "created_timestamp") ?? arrivedAt;
  const own = sender.id === accountId;
  return {
    kind: "relation",
    relation,
    key: `${relation}:${sender.id}>${target.id}:${at}`,
    accountId,
    at,
    direction: own ? "outbound" : "inbound",
    lane: `${accountId}/${own ? target.id : sender.id}`,
    triggers: [RELATION_TRIGGERS[relation]],
    sender,
    target,
  };
}

/** Element of `post_delete_events`. */
export function postDeletedEventOf(
  wire: Wire,
  accountId: string,
  arrivedAt: number,
): PostDeletedEvent | undefined {
  const status = objectAt(wire, "status");
  const postId = idAt(status);
  const authorId = idAt(status, "user_id");
  if (postId === undefined || authorId === undefined) return undefined;
  return {
    kind: "post_deleted",
    key: `post_deleted:${postId}`,
    accountId,
    at: numberAt(wire, "timestamp_ms") ?? arrivedAt,
    direction: authorId === accountId ? "outbound" : "inbound",
    lane: `${accountId}/${authorId}`,
    triggers: ["post.deleted"],
    sender: { id: authorId },
    postId,
  };
}

/** The value of `user_event`: a person removed the app's authorization. It has no `for_user_id`. */
export function revokedEventOf(wire: Wire, arrivedAt: number): RevokedEvent | undefined {
  const revoke = objectAt(wire, "revoke");
  const userId = idAt(objectAt(revoke, "source"), "user_id");
  const appId = idAt(objectAt(revoke, "target"), "app_id");
  if (userId === undefined || appId === undefined) return undefined;
  const at = dateAt(revoke, "date_time") ?? arrivedAt;
  return {
    kind: "revoked",
    key: `revoked:${appId}:${userId}:${at}`,
    accountId: userId,
    at,
    direction: "inbound",
    lane: `${userId}/${userId}`,
    triggers: ["account.authorization_revoked"],
    sender: { id: userId },
    appId,
  };
}

/** The value of `replay_job_status`. It belongs to the webhook, not to an account. */
export function replayFinishedEventOf(
  wire: Wire,
  arrivedAt: number,
): ReplayFinishedEvent | undefined {
  const jobId = idAt(wire, "job_id");
  const webhookId = idAt(wire, "webhook_id");
  const state = textAt(wire, "job_state");
  if (jobId === undefined || webhookId === undefined || state === undefined) return undefined;
  return {
    kind: "replay_finished",
    key: `replay:${jobId}:${state}`,
    accountId: "",
    at: arrivedAt,
    direction: "inbound",
    lane: `/replay-${webhookId}`,
    triggers: ["replay.finished"],
    webhookId,
    jobId,
    complete: state === "Complete",
  };
}
