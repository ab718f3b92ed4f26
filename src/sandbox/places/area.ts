import type { Area } from "../kernel/area.ts";
import { places as placeTable } from "./entities.ts";
import { behaviours } from "./ledger.ts";
import { routes } from "./routes.ts";

/** Places on the map. */
export const places: Area = { name: "places", tables: [placeTable], routes, behaviours };
