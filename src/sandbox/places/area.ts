import { PLACE_FIELDS } from "../../protocol/fields.ts";
import type { Area } from "../server/route.ts";
import { assumed, documented } from "../kernel/ledger.ts";
import { places as placeTable } from "../model/places.ts";
import { controlInput, ownRoute } from "../server/control-input.ts";
import { renderPlace } from "../rendering/places.ts";
import { createPlace, placeInput } from "./rules.ts";

/** Places on the map that posts can name. */
export const places: Area = {
  name: "places",
  tables: [placeTable],
  routes: [
    {
      method: "POST",
      path: "/_sandbox/places",
      ...ownRoute("makes a place that `geo.place_id` of a post can name."),
      handle: (call) => {
        const place = createPlace(call.sandbox, controlInput(call, placeInput));
        return { body: { place: renderPlace(place, new Set(PLACE_FIELDS)) } };
      },
    },
  ],
  behaviours: [
    {
      behaviour: "places are selectable objects",
      ...documented("Field-selectable objects", "The list of fields is that of the live service."),
    },
    {
      behaviour: "a new place may have a chosen id of 16 hexadecimal digits",
      ...assumed("Ids have this form on the live service, where only the platform creates places."),
    },
  ],
};
