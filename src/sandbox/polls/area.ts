import type { Area } from "../kernel/area.ts";
import { polls as pollTable, votes } from "./entities.ts";
import { behaviours } from "./ledger.ts";
import { routes } from "./routes.ts";

/** Polls and their votes. */
export const polls: Area = { name: "polls", tables: [pollTable, votes], routes, behaviours };
