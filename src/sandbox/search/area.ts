import type { Area } from "../server/route.ts";
import { behaviours } from "./ledger.ts";
import { routes } from "./routes.ts";

/** Search of recent posts and of all, and counts of what it finds. */
export const search: Area = { name: "search", tables: [], routes, behaviours };
