import type { Area } from "../kernel/route.ts";
import { places as placeTable } from "./entities.ts";
import { ledger } from "./ledger.ts";
import { routes } from "./routes.ts";

/** Places on the map. */
export const places: Area = { name: "places", tables: [placeTable], routes, ledger };
