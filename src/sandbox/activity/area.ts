import type { Area } from "../kernel/area.ts";
import { resumeDeliveries } from "./deliver.ts";
import { activities, openDeliveries, openReplays, subscriptions } from "./entities.ts";
import { behaviours } from "./ledger.ts";
import { resumeReplays } from "./replay.ts";
import { routes } from "./routes.ts";

/** Subscriptions, the events they bring, and replays. */
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
