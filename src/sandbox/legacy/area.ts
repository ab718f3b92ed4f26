import type { Area } from "../server/route.ts";
import { behaviours } from "./ledger.ts";
import { restRoutes } from "./rest/routes.ts";
import { routes } from "./routes.ts";

/** Version 1.1: other paths and names for the same records. */
export const legacy: Area = {
  name: "legacy",
  tables: [],
  routes: [...routes, ...restRoutes],
  behaviours,
};
