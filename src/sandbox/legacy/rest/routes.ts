import type { Route } from "../../kernel/http/route.ts";
import { followListRoutes } from "./follow-list-routes.ts";
import { messageRoutes } from "./message-routes.ts";
import { personRoutes } from "./person-routes.ts";
import { rateLimitRoutes } from "./rate-limit-routes.ts";
import { searchRoutes } from "./search-routes.ts";
import { statusRoutes } from "./status-routes.ts";
import { timelineRoutes } from "./timeline-routes.ts";

/** Version 1.1 over the areas that there are: posts, people and messages by their older paths and shapes. */
export const restRoutes: readonly Route[] = [
  ...statusRoutes,
  ...timelineRoutes,
  ...searchRoutes,
  ...personRoutes,
  ...followListRoutes,
  ...messageRoutes,
  ...rateLimitRoutes,
];
