import type { Area } from "../server/route.ts";
import { bookmarkFolders, bookmarks } from "../model/bookmarks.ts";
import { likes, posts as postTable } from "../model/posts.ts";
import { bookmarkRoutes } from "./bookmark-routes.ts";
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
