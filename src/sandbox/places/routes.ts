import { PLACE_FIELDS } from "../../interface/fields.ts";
import { controlInput } from "../control/input.ts";
import type { Route } from "../kernel/route.ts";
import { renderPlace } from "./render.ts";
import { createPlace, placeInput } from "./rules.ts";

export const routes: readonly Route[] = [
  {
    method: "POST",
    path: "/_sandbox/places",
    auth: ["control"],
    handle: (call) => {
      const place = createPlace(call.sandbox, controlInput(call, placeInput));
      return { body: { place: renderPlace(place, new Set(PLACE_FIELDS)) } };
    },
  },
];
