import type { Route } from "../kernel/route.ts";
import { controlRoutes } from "./control-routes.ts";
import { listRoutes } from "./list-routes.ts";
import { lookupRoutes } from "./lookup-routes.ts";
import { relationRoutes } from "./relation-routes.ts";

export const routes: readonly Route[] = [
  ...lookupRoutes,
  ...listRoutes,
  ...relationRoutes,
  ...controlRoutes,
];
