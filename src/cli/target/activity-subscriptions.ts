import { READ_EVENT_TYPES } from "../../events/activity-event-types.ts";
import { activityInterfaceWay } from "../../runtime/delivery.ts";
import { openLog } from "../../runtime/log.ts";
import type { SubscriptionWay } from "../../runtime/vocabulary.ts";
import type { PlatformTarget } from "./target.ts";

/** Returns access to subscriptions of the activity interface; undefined if the setting `source` does not use it. */
export function activityInterfaceOf({
  app,
  settings,
}: Pick<PlatformTarget, "app" | "settings">): SubscriptionWay | undefined {
  if (settings.source !== "activity" && settings.source !== "both") return undefined;
  const needed = new Set(READ_EVENT_TYPES);
  return activityInterfaceWay({ app, needed: () => needed, log: openLog({ level: "silent" }) });
}

/** Users and event types that a webhook receives through the activity interface. */
export async function activitySubscriptionsAt(
  { app }: Pick<PlatformTarget, "app">,
  webhookId: string,
): Promise<readonly { readonly user_id: string; readonly events: string }[]> {
  const foundSubscriptions: { readonly user_id: string; readonly events: string }[] = [];
  for await (const { filter, event_type: events, webhook_id } of app.activitySubscriptions.list()) {
    const { user_id } = filter;
    if (webhook_id === webhookId && user_id !== undefined)
      foundSubscriptions.push({ user_id, events });
  }
  return foundSubscriptions.toReversed();
}
