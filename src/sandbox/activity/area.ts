import type { Area } from "../kernel/route.ts";
import { activities, subscriptions } from "./entities.ts";
import { lanes } from "./lanes.ts";
import { ledger } from "./ledger.ts";
import { forgetReplays } from "./replay.ts";
import { routes } from "./routes.ts";

/** Subscriptions, the events they bring, and replays. */
export const activity: Area = {
  name: "activity",
  tables: [subscriptions, activities],
  routes,
  ledger,
  arm(sandbox) {
    lanes(sandbox).clear();
    forgetReplays(sandbox);
  },
};
