import type { Area } from "../kernel/area.ts";
import { relationships, users } from "./entities.ts";
import { behaviours } from "./ledger.ts";
import { routes } from "./routes.ts";

/** Users and their relationships. */
export const accounts: Area = {
  name: "accounts",
  tables: [users, relationships],
  routes,
  behaviours,
};
