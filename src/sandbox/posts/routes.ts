import type { Route } from "../kernel/route.ts";
import { readRoutes } from "./read-routes.ts";
import { timelineRoutes } from "./timeline-routes.ts";
import { writeRoutes } from "./write-routes.ts";

export const routes: readonly Route[] = [...readRoutes, ...timelineRoutes, ...writeRoutes];
