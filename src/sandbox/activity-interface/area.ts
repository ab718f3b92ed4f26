import type { Area } from "../server/route.ts";
import { activitySubscriptions } from "../model/activity.ts";
import { behaviours } from "./ledger.ts";
import { routes } from "./routes.ts";

/** The successor of account activity: subscriptions to event types. */
export const activityInterface: Area = {
  name: "activity-interface",
  tables: [activitySubscriptions],
  routes,
  behaviours,
};
