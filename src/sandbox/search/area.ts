import type { Area } from "../kernel/area.ts";
import { behaviours } from "./ledger.ts";
import { routes } from "./routes.ts";

/** Recent search. */
export const search: Area = { name: "search", tables: [], routes, behaviours };
