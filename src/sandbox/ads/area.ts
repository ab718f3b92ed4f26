import type { Area } from "../server/route.ts";
import { accountRoutes } from "./account-routes.ts";
import { controlRoutes } from "./control-routes.ts";
import { conversionRoutes } from "./conversion-routes.ts";
import { adsAccounts, appEventTags, appLists, conversions, engagements } from "../model/ads.ts";
import { behaviours } from "./ledger.ts";

/** Advertising measurement: conversions and what they are attributed to, event tags, app lists. */
export const ads: Area = {
  name: "ads",
  tables: [adsAccounts, appEventTags, appLists, engagements, conversions],
  routes: [...conversionRoutes, ...accountRoutes, ...controlRoutes],
  behaviours,
};
