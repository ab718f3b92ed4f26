import type { Route } from "../../server/route.ts";
import { geoRoutes } from "./geo-routes.ts";
import { helpRoutes } from "./help-routes.ts";
import { listReadRoutes } from "./lists/read-routes.ts";
import { listWriteRoutes } from "./lists/write-routes.ts";
import { messageRoutes } from "./messages/message-routes.ts";
import { accountRoutes } from "./people/account-routes.ts";
import { friendshipRoutes } from "./people/friendship-routes.ts";
import { pictureRoutes } from "./people/pictures.ts";
import { welcomeRoutes } from "./messages/welcome-routes.ts";
import { welcomeRuleRoutes } from "./messages/welcome-rule-routes.ts";
import { embedRoutes } from "./statuses/embed-routes.ts";
import { mediaStatusRoutes } from "./statuses/media-status-routes.ts";
import { savedSearchRoutes } from "./statuses/saved-search-routes.ts";
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
  ...welcomeRoutes,
  ...welcomeRuleRoutes,
  ...savedSearchRoutes,
  ...embedRoutes,
  ...mediaStatusRoutes,
  ...geoRoutes,
  ...helpRoutes,
  ...rateLimitRoutes,
];
