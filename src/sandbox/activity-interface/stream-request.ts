import {
  activities,
  type ActivityRow,
  ACTIVITIES,
  type ActivitySubscriptionRow,
  activitySubscriptions,
  mayReceive,
  subscriptionLane,
  subscriptionOfLane,
} from "../model/activity.ts";
import { countPosts, isPostCapReached, isPostEvent } from "../model/post-usage.ts";
import { stringifyData } from "../rendering/events/wire.ts";
import { appOf } from "../auth/caller.ts";
import { apps } from "../model/apps.ts";
import { Query } from "../data-query/query.ts";
import { readStreamSpan } from "../data-query/time-fault.ts";
import { type DraftLine, OpenStream } from "../kernel/delivery/open-stream.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { RouteCall, RouteResponse } from "../server/route.ts";
import { renderActivityEvent } from "../rendering/events/activity-event.ts";

const MINUTE_MS = 60_000;
/** Maximum number of streams that an app may have open at a time. */
const MAX_STREAMS = 2;

/** Opens the stream: sends the requested backfill first, then live activities. */
export function connect(call: RouteCall): RouteResponse {
  const { sandbox } = call;
  const query = new Query(call);
  const backfillMs = (query.integer("backfill_minutes", { min: 0, max: 5 }) ?? 0) * MINUTE_MS;
  const { start, end } = readStreamSpan(query, sandbox.time.now());
  query.finish();
  const { id: appId } = appOf(call.caller);
  refuseConnection(call, appId);
  return {
    headers: { "content-type": "application/json; charset=utf-8" },
    stream: (pipe) => {
      const now = sandbox.time.now();
      function* linesOf(activityRows: readonly ActivityRow[]): Generator<DraftLine> {
        for (const activity of activityRows) {
          if (activity.at < (start ?? 0) || activity.at >= (end ?? Infinity)) continue;
          // The app's permission level may change while its stream is open.
          const app = apps.in(sandbox.world).get(appId);
          if (app === undefined || !mayReceive(app, activity)) continue;
          for (const subscription of toldOf(call, appId, activity)) {
            const body = renderActivityEvent(sandbox.world, activity, subscription);
            if (body === undefined) continue;
            const { eventType: event, userId: account } = subscription;
            if (isPostEvent(event)) {
              if (isPostCapReached(sandbox, app)) return stream.end("post-cap");
              countPosts(sandbox, app, 1);
            }
            yield { text: stringifyData(body, call.dialect), about: { event, account } };
          }
        }
      }
      const onOffer = (id: string): void => {
        const activity = activities.in(sandbox.world).get(id);
        if (activity === undefined) return;
        for (const line of linesOf([activity])) stream.send(line);
      };
      const spec = { kind: ACTIVITIES, path: call.path, appId, onOffer };
      const stream = new OpenStream(sandbox, spec, pipe);
      stream.sendPast(linesOf(activitiesSince(call, appId, start ?? now - backfillMs)));
      if (end !== undefined) stream.endAt(end);
      return () => stream.gone();
    },
  };
}

/** Returns the app's subscriptions that matched the activity when it happened. */
function toldOf(
  { sandbox }: RouteCall,
  appId: string,
  activity: ActivityRow,
): readonly ActivitySubscriptionRow[] {
  const table = activitySubscriptions.in(sandbox.world);
  return activity.lanes.flatMap((lane) => {
    const subscription = table.get(subscriptionOfLane(lane) ?? "");
    return subscription?.appId === appId ? [subscription] : [];
  });
}

/** Returns the activities of an app's subscriptions since an instant, oldest first, each once. */
function activitiesSince(
  { sandbox }: RouteCall,
  appId: string,
  from: number,
): readonly ActivityRow[] {
  if (from >= sandbox.time.now()) return [];
  const table = activities.in(sandbox.world);
  const activitiesById = new Map<string, ActivityRow>();
  for (const { id } of activitySubscriptions.in(sandbox.world).where("app", appId)) {
    for (const activity of table.descending("lane", subscriptionLane(id))) {
      if (activity.at < from) break;
      activitiesById.set(activity.id, activity);
    }
  }
  return [...activitiesById.values()].sort(
    (a, b) => a.at - b.at || (BigInt(a.id) < BigInt(b.id) ? -1 : 1),
  );
}

/** @throws {ApiError} 429 if the app has too many open streams. */
function refuseConnection({ sandbox }: RouteCall, appId: string): void {
  if (sandbox.streams.of(ACTIVITIES, appId).length < MAX_STREAMS) return;
  throw new ApiError({
    status: 429,
    code: "connection_exception",
    message: "This stream is currently at the maximum allowed connection limit.",
    title: "ConnectionException",
    problem: "streaming-connection",
    extra: { connection_issue: "TooManyConnections" },
  });
}
