import type { Sandbox } from "../kernel/sandbox.ts";
import {
  subscriptionLane,
  ACTIVITIES,
  activities,
  type ActivityRow,
  type ActivityKind,
  subscriptions,
} from "../model/activity.ts";
import { subscriptionsOf } from "../activity-interface/matching.ts";
import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import { messages } from "../model/messages.ts";
import { posts } from "../model/posts.ts";
import { dispatch } from "./deliver.ts";

/** An action of a user, before the subscriptions that receive it are determined. */
export interface NewActivity {
  readonly kind: ActivityKind;
  readonly by: string;
  readonly to?: string | undefined;
  readonly ref?: string | undefined;
  readonly change?: ActivityRow["change"];
  readonly like?: string;
  /** Ids of the users whose account activity subscriptions receive the activity. */
  readonly involved: readonly string[];
}

/**
 * Delivers an activity to all matching subscriptions of account activity and of the activity interface, and stores the
 * activity for replays.
 *
 * @returns the activity's id.
 */
export function emit(sandbox: Sandbox, activity: NewActivity): string {
  const { world } = sandbox;
  const table = subscriptions.in(world);
  const people = new Set(activity.involved);
  const lanes = [...people].flatMap((id) =>
    table.where("user", id).map((subscription) => `${subscription.webhookId}:${id}`),
  );
  const at = sandbox.time.now();
  const others = subscriptionsOf(world, { ...activity, at }).map(({ id }) => subscriptionLane(id));
  return record(sandbox, activity, [...lanes, ...others]);
}

/** Delivers an activity only to the subscriptions that `lanes` names. */
export function emitTo(
  sandbox: Sandbox,
  activity: Omit<NewActivity, "involved">,
  lanes: readonly string[],
): string {
  return record(sandbox, activity, lanes);
}

function record(
  sandbox: Sandbox,
  { kind, by, to, ref, change, like }: Omit<NewActivity, "involved">,
  lanes: readonly string[],
): string {
  const activity: ActivityRow = {
    id: sandbox.world.ids.next(),
    kind,
    at: sandbox.time.now(),
    by,
    ...(to === undefined ? {} : { to }),
    ...(ref === undefined ? {} : { ref }),
    ...(change === undefined ? {} : { change }),
    ...(like === undefined ? {} : { like }),
    lanes: [...lanes],
  };
  sandbox.feed.publish("activity", { ...activity, ...saidIn(sandbox.world, activity) });
  if (lanes.length > 0) {
    activities.in(sandbox.world).put(activity);
    dispatch(sandbox, activity);
    sandbox.streams.offer(ACTIVITIES, activity.id);
  }
  return activity.id;
}

/** Text of a message or a post, and ids of the posts that the post replies to, quotes or reposts. */
export interface ActivityWords {
  readonly text?: string;
  readonly refers_to?: readonly string[];
}

/** Returns the text of an activity's message or post for the feed, so that its subscribers need no further request. */
export function saidIn(
  world: SandboxWorld,
  { kind, ref = "" }: Pick<ActivityRow, "kind" | "ref">,
): ActivityWords {
  if (kind === "message") {
    const { text } = messages.in(world).get(ref) ?? {};
    return text === undefined ? {} : { text };
  }
  const post = kind === "post" ? posts.in(world).get(ref) : undefined;
  if (post === undefined) return {};
  const { text, replyTo, quoteOf, repostOf } = post;
  return { text, refers_to: [replyTo, quoteOf, repostOf].flatMap((id) => id ?? []) };
}
