import type { Route } from "../../server/route.ts";
import { listReadRoutes } from "./list-read-routes.ts";
import { listWriteRoutes } from "./list-write-routes.ts";
import { messageRoutes } from "./message-routes.ts";
import { personRoutes } from "./person-routes.ts";
import { rateLimitRoutes } from "./rate-limit-routes.ts";
import { relationListRoutes } from "./relation-list-routes.ts";
import { repostRoutes } from "./repost-routes.ts";
import { searchRoutes } from "./search-routes.ts";
import { statusRoutes } from "./status-routes.ts";
import { timelineRoutes } from "./timeline-routes.ts";

/** Routes of version 1.1 for posts, people and messages, with their older paths and shapes. */
export const restRoutes: readonly Route[] = [
  ...statusRoutes,
  ...repostRoutes,
  ...timelineRoutes,
  ...searchRoutes,
  ...personRoutes,
  ...relationListRoutes,
  ...listReadRoutes,
  ...listWriteRoutes,
  ...messageRoutes,
  ...rateLimitRoutes,
];
