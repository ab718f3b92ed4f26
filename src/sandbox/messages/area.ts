import type { Area } from "../kernel/area.ts";
import { groups, messages as messageTable } from "./entities.ts";
import { behaviours } from "./ledger.ts";
import { routes } from "./routes.ts";

/** Direct messages. */
export const messages: Area = {
  name: "messages",
  tables: [messageTable, groups],
  routes,
  behaviours,
};
