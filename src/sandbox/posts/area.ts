import type { Area } from "../kernel/area.ts";
import { bookmarkFolders, bookmarks } from "./bookmarks/entities.ts";
import { bookmarkRoutes } from "./bookmarks/routes.ts";
import { likes, posts as postTable } from "./entities.ts";
import { behaviours } from "./ledger.ts";
import { postLookupRoutes } from "./reading/lookup-routes.ts";
import { timelineRoutes } from "./reading/timeline-routes.ts";
import { writeRoutes } from "./writing/routes.ts";

/** Posts, replies, quotes, reposts, likes and bookmarks. */
export const posts: Area = {
  name: "posts",
  tables: [postTable, likes, bookmarks, bookmarkFolders],
  routes: [...postLookupRoutes, ...timelineRoutes, ...writeRoutes, ...bookmarkRoutes],
  behaviours,
};
