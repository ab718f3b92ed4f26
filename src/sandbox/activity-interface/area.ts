import type { Area } from "../server/route.ts";
import { activitySubscriptions } from "../model/activity.ts";
import { behaviours } from "./ledger.ts";
import { routes } from "./routes.ts";

/** The platform's activity interface: subscriptions to event types. The successor of account activity. */
export const activityInterface: Area = {
  name: "activity-interface",
  tables: [activitySubscriptions],
  routes,
  behaviours,
};
