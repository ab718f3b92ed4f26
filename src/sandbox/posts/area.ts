import type { Area } from "../kernel/route.ts";
import { likes, posts as postTable } from "./entities.ts";
import { ledger } from "./ledger.ts";
import { routes } from "./routes.ts";

/** Posts, replies, quotes, reposts and likes. */
export const posts: Area = { name: "posts", tables: [postTable, likes], routes, ledger };
