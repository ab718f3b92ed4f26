import type { Area } from "../server/route.ts";
import { spaces as spaceTable } from "../model/spaces.ts";
import { behaviours } from "./ledger.ts";
import { routes } from "./routes.ts";

/** Conversations by voice, as far as they can be looked up. */
export const spaces: Area = { name: "spaces", tables: [spaceTable], routes, behaviours };
