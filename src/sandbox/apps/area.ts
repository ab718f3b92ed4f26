import type { Area } from "../server/route.ts";
import { accessTokens, apps as appTable, projects, userTokens } from "../model/apps.ts";
import { postUsage } from "../model/post-usage.ts";
import { behaviours } from "./ledger.ts";
import { routes } from "./routes.ts";

/** Developer apps: projects, apps, credentials, the grants of users, and usage of posts. */
export const apps: Area = {
  name: "apps",
  tables: [projects, appTable, accessTokens, userTokens, postUsage],
  routes,
  behaviours,
};
