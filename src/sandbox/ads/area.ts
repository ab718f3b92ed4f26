import type { Area } from "../kernel/area.ts";
import { accountRoutes } from "./account-routes.ts";
import { controlRoutes } from "./control-routes.ts";
import { conversionRoutes } from "./conversion-routes.ts";
import { adsAccounts, appEventTags, appLists, conversions, engagements } from "./entities.ts";
import { behaviours } from "./ledger.ts";

/** Advertising measurement: conversions and what they are attributed to, event tags, app lists. */
export const ads: Area = {
  name: "ads",
  tables: [adsAccounts, appEventTags, appLists, engagements, conversions],
  routes: [...conversionRoutes, ...accountRoutes, ...controlRoutes],
  behaviours,
};
