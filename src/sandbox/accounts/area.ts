import type { Area } from "../server/route.ts";
import { relationships, users } from "../model/accounts.ts";
import { controlRoutes } from "./control-routes.ts";
import { behaviours } from "./ledger.ts";
import { listRoutes } from "./list-routes.ts";
import { userLookupRoutes } from "./lookup-routes.ts";
import { relationshipRoutes } from "./relationship-routes.ts";
import { userSearchRoutes } from "./search-routes.ts";

/** Users and their relationships. */
export const accounts: Area = {
  name: "accounts",
  tables: [users, relationships],
  routes: [
    ...userLookupRoutes,
    ...userSearchRoutes,
    ...listRoutes,
    ...relationshipRoutes,
    ...controlRoutes,
  ],
  behaviours,
};
