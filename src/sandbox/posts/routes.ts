import type { Route } from "../kernel/http/route.ts";
import { bookmarkRoutes } from "./bookmarks/routes.ts";
import { postLookupRoutes } from "./reading/lookup-routes.ts";
import { timelineRoutes } from "./reading/timeline-routes.ts";
import { writeRoutes } from "./writing/routes.ts";

export const routes: readonly Route[] = [
  ...postLookupRoutes,
  ...timelineRoutes,
  ...writeRoutes,
  ...bookmarkRoutes,
];
