import type { Area } from "../server/route.ts";
import { accessTokens, apps as appTable, projects, userTokens } from "../model/apps.ts";
import { behaviours } from "./ledger.ts";
import { routes } from "./routes.ts";

/** Developer apps: projects, apps, credentials and the grants of users. */
export const apps: Area = {
  name: "apps",
  tables: [projects, appTable, accessTokens, userTokens],
  routes,
  behaviours,
};
