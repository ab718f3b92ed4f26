import type { Area } from "../server/route.ts";
import { savedSearches } from "../model/saved-searches.ts";
import { welcomeMessages, welcomeRules } from "../model/welcome-messages.ts";
import { behaviours } from "./ledger.ts";
import { restRoutes } from "./rest/routes.ts";
import { routes } from "./routes.ts";

/** Version 1.1 of the API: other paths and names for the objects of version 2, and objects that version 2 lacks. */
export const legacy: Area = {
  name: "legacy",
  tables: [welcomeMessages, welcomeRules, savedSearches],
  routes: [...routes, ...restRoutes],
  behaviours,
};
