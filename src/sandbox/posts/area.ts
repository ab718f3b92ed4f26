import type { Area } from "../kernel/area.ts";
import { likes, posts as postTable } from "./entities.ts";
import { behaviours } from "./ledger.ts";
import { routes } from "./routes.ts";

/** Posts, replies, quotes, reposts and likes. */
export const posts: Area = { name: "posts", tables: [postTable, likes], routes, behaviours };
