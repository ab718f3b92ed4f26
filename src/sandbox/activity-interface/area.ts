import type { Area } from "../kernel/area.ts";
import { activitySubscriptions } from "./entities.ts";
import { behaviours } from "./ledger.ts";
import { routes } from "./routes.ts";

/** The successor of account activity: subscriptions to event types. */
export const activityInterface: Area = {
  name: "activity-interface",
  tables: [activitySubscriptions],
  routes,
  behaviours,
};
