import type { Area } from "../server/route.ts";
import { groups, messages as messageTable } from "../model/messages.ts";
import { behaviours } from "./ledger.ts";
import { routes } from "./routes.ts";

/** Direct messages. */
export const messages: Area = {
  name: "messages",
  tables: [messageTable, groups],
  routes,
  behaviours,
};
