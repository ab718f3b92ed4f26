import type { Area } from "../server/route.ts";
import { streamRules } from "./entities.ts";
import { behaviours } from "./ledger.ts";
import { routes } from "./routes.ts";

/** Posts as they are made, filtered by an app's rules. */
export const filteredStream: Area = {
  name: "filtered-stream",
  tables: [streamRules],
  routes,
  behaviours,
};
