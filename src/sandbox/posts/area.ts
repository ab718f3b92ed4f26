import type { Area } from "../kernel/area.ts";
import { bookmarkFolders, bookmarks } from "./bookmarks/entities.ts";
import { likes, posts as postTable } from "./entities.ts";
import { behaviours } from "./ledger.ts";
import { routes } from "./routes.ts";

/** Posts, replies, quotes, reposts, likes and bookmarks. */
export const posts: Area = {
  name: "posts",
  tables: [postTable, likes, bookmarks, bookmarkFolders],
  routes,
  behaviours,
};
