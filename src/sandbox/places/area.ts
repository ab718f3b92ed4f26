import type { Area } from "../kernel/area.ts";
import { documented } from "../kernel/ledger.ts";
import { places as placeTable } from "./entities.ts";
import { routes } from "./routes.ts";

/** Places on the map. */
export const places: Area = {
  name: "places",
  tables: [placeTable],
  routes,
  behaviours: [
    {
      behaviour: "places are selectable objects",
      ...documented("Field-selectable objects", "The field list is the live service's."),
    },
  ],
};
