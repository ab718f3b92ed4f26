import type { Area } from "../kernel/area.ts";
import { spaces as spaceTable } from "./entities.ts";
import { behaviours } from "./ledger.ts";
import { routes } from "./routes.ts";

/** Conversations by voice, as far as they can be looked up. */
export const spaces: Area = { name: "spaces", tables: [spaceTable], routes, behaviours };
