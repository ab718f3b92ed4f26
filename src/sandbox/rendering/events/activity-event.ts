import type { WireObject } from "../selection.ts";
import { type ActivityRow, type ActivitySubscriptionRow, viewerOf } from "../../model/activity.ts";
import type { SandboxWorld } from "../../kernel/world/sandbox-world.ts";
import type { RenderContext } from "../render-context.ts";
import { payloadOf } from "./activity-payload.ts";

/**
 * Renders an activity for a subscription of the activity interface, with `post` (not `tweet`) in names; undefined if
 * the activity's post, message or user no longer exists.
 */
export function renderActivityEvent(
  world: SandboxWorld,
  activity: ActivityRow,
  subscription: ActivitySubscriptionRow,
): WireObject | undefined {
  const { eventType, tag } = subscription;
  const context: RenderContext = {
    world,
    // Only the URLs of problem types in errors need the base URL, and events contain no errors.
    baseUrl: "",
    dialect: "post",
    now: activity.at,
    viewer: viewerOf(world, subscription),
    email: false,
  };
  const eventPayload = payloadOf(context, activity);
  if (eventPayload === undefined) return undefined;
  return {
    data: {
      filter: renderFilter(subscription),
      event_type: eventType,
      event_uuid: activity.id,
      ...(tag === undefined ? {} : { tag }),
      ...eventPayload,
    },
  };
}

/** Renders the `filter` of a subscription: the user, direction and keyword that its events must match. */
export function renderFilter({ userId, direction, keyword }: ActivitySubscriptionRow): WireObject {
  return {
    ...(userId === undefined ? {} : { user_id: userId }),
    ...(direction === undefined ? {} : { direction }),
    ...(keyword === undefined ? {} : { keyword }),
  };
}
