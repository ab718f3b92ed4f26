import type { Area } from "../kernel/area.ts";
import { activities, subscriptions } from "./entities.ts";
import { behaviours } from "./ledger.ts";
import { routes } from "./routes.ts";

/** Subscriptions, the events they bring, and replays. */
export const activity: Area = {
  name: "activity",
  tables: [subscriptions, activities],
  routes,
  behaviours,
};
