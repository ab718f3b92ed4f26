import type { Area } from "../server/route.ts";
import { activities, openDeliveries, openReplays, subscriptions } from "../model/activity.ts";
import { resumeDeliveries } from "./deliver.ts";
import { behaviours } from "./ledger.ts";
import { resumeReplays } from "./replay.ts";
import { routes } from "./routes.ts";

/** Account activity: subscriptions, deliveries to their webhooks, and replays. */
export const activity: Area = {
  name: "activity",
  tables: [subscriptions, activities, openDeliveries, openReplays],
  routes,
  behaviours,
  schedule(sandbox) {
    resumeDeliveries(sandbox);
    resumeReplays(sandbox);
  },
};
