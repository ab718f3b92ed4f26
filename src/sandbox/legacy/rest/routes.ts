import type { Route } from "../../server/route.ts";
import { listReadRoutes } from "./lists/read-routes.ts";
import { listWriteRoutes } from "./lists/write-routes.ts";
import { messageRoutes } from "./messages/message-routes.ts";
import { accountRoutes } from "./people/account-routes.ts";
import { friendshipRoutes } from "./people/friendship-routes.ts";
import { pictureRoutes } from "./people/pictures.ts";
import { personRoutes } from "./people/person-routes.ts";
import { rateLimitRoutes } from "./rate-limit-routes.ts";
import { relationListRoutes } from "./people/relation-list-routes.ts";
import { repostRoutes } from "./statuses/repost-routes.ts";
import { searchRoutes } from "./statuses/search-routes.ts";
import { statusRoutes } from "./statuses/status-routes.ts";
import { timelineRoutes } from "./statuses/timeline-routes.ts";

/** Routes of version 1.1 for posts, people and messages, with their older paths and shapes. */
export const restRoutes: readonly Route[] = [
  ...statusRoutes,
  ...repostRoutes,
  ...timelineRoutes,
  ...searchRoutes,
  ...personRoutes,
  ...friendshipRoutes,
  ...accountRoutes,
  ...pictureRoutes,
  ...relationListRoutes,
  ...listReadRoutes,
  ...listWriteRoutes,
  ...messageRoutes,
  ...rateLimitRoutes,
];
