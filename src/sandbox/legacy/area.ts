import type { Area } from "../server/route.ts";
import { savedSearches } from "../model/saved-searches.ts";
import { welcomeMessages, welcomeRules } from "../model/welcome-messages.ts";
import { behaviours } from "./ledger.ts";
import { restRoutes } from "./rest/routes.ts";
import { routes } from "./routes.ts";

/** Version 1.1: other paths and names for the same records, and records that version 2 lacks. */
export const legacy: Area = {
  name: "legacy",
  tables: [welcomeMessages, welcomeRules, savedSearches],
  routes: [...routes, ...restRoutes],
  behaviours,
};
