import type { Route } from "../kernel/http/route.ts";
import { controlRoutes } from "./control-routes.ts";
import { listRoutes } from "./list-routes.ts";
import { userLookupRoutes } from "./lookup-routes.ts";
import { relationshipRoutes } from "./relationship-routes.ts";
import { userSearchRoutes } from "./search-routes.ts";

export const routes: readonly Route[] = [
  ...userLookupRoutes,
  ...userSearchRoutes,
  ...listRoutes,
  ...relationshipRoutes,
  ...controlRoutes,
];
