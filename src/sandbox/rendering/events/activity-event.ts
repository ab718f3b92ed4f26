import type { WireObject } from "../selection.ts";
import type { ActivityRow, ActivitySubscriptionRow } from "../../model/activity.ts";
import type { SandboxWorld } from "../../kernel/world/sandbox-world.ts";
import type { RenderContext } from "../render-context.ts";
import { payloadOf } from "./activity-payload.ts";

/**
 * What the activity interface tells a subscription of an activity, in the post dialect; `undefined` when what it
 * refers to is deleted.
 */
export function renderActivityEvent(
  world: SandboxWorld,
  activity: ActivityRow,
  subscription: ActivitySubscriptionRow,
): WireObject | undefined {
  const { eventType, userId, tag } = subscription;
  const context: RenderContext = {
    world,
    // Where a problem's type is explained: events have none.
    baseUrl: "",
    dialect: "post",
    now: activity.at,
    viewer: userId,
    email: false,
  };
  const told = payloadOf(context, activity);
  if (told === undefined) return undefined;
  return {
    data: {
      filter: renderFilter(subscription),
      event_type: eventType,
      event_uuid: activity.id,
      ...(tag === undefined ? {} : { tag }),
      ...told,
    },
  };
}

/** What a subscription is about, as the interface writes it. */
export function renderFilter({ userId, direction, keyword }: ActivitySubscriptionRow): WireObject {
  return {
    ...(userId === undefined ? {} : { user_id: userId }),
    ...(direction === undefined ? {} : { direction }),
    ...(keyword === undefined ? {} : { keyword }),
  };
}
