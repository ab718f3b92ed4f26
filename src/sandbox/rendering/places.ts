import type { PlaceRow } from "../model/places.ts";
import { pick } from "./selection.ts";

export function renderPlace(
  place: PlaceRow,
  selected: ReadonlySet<string>,
): Record<string, unknown> {
  return pick("place", selected, {
    id: () => place.id,
    full_name: () => place.fullName,
    name: () => place.name,
    country: () => place.country,
    country_code: () => place.countryCode,
    place_type: () => place.type,
    contained_within: () => (place.within.length === 0 ? undefined : place.within),
    geo: () => ({ type: "Feature", bbox: place.bbox, properties: {} }),
  });
}
