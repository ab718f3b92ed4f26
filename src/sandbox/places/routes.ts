import { assumed } from "../kernel/ledger.ts";
import { PLACE_FIELDS } from "../../protocol/fields.ts";
import { controlInput } from "../kernel/http/control-input.ts";
import type { Route } from "../kernel/http/route.ts";
import { renderPlace } from "./render.ts";
import { createPlace, placeInput } from "./rules.ts";

export const routes: readonly Route[] = [
  {
    method: "POST",
    path: "/_sandbox/places",
    ledger: assumed("The sandbox's own: makes a place that `geo.place_id` of a post can name."),
    auth: ["control"],
    handle: (call) => {
      const place = createPlace(call.sandbox, controlInput(call, placeInput));
      return { body: { place: renderPlace(place, new Set(PLACE_FIELDS)) } };
    },
  },
];
