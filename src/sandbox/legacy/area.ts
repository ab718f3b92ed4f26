import type { Area } from "../kernel/area.ts";
import { behaviours } from "./ledger.ts";
import { routes } from "./routes.ts";

/** Webhooks and account activity of version 1.1: other paths and names for the same records. */
export const legacy: Area = { name: "legacy", tables: [], routes, behaviours };
