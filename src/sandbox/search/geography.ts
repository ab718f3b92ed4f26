import { type PlaceRow, places } from "../model/places.ts";
import { type SearchClause, indexedBy, type SearchOperator } from "./clause.ts";
import type { PostFacts } from "./facts.ts";
import {
  KM_PER_DEGREE,
  type PointRadius,
  readBoundingBox,
  readPointRadius,
} from "../../protocol/search-query/areas.ts";

interface Point {
  readonly longitude: number;
  readonly latitude: number;
}

/** Operators `place:`, `place_country:`, `point_radius:` and `bounding_box:`, which test the place a post is tagged with. */
export const geographyOperators: Readonly<Record<string, SearchOperator>> = {
  place: (value) =>
    placeClause(({ id, fullName, name }) =>
      [id, fullName, name].some((one) => one.toLowerCase() === value.toLowerCase()),
    ),
  place_country: (value) =>
    placeClause(({ country, countryCode }) =>
      [country, countryCode].some((one) => one.toLowerCase() === value.toLowerCase()),
    ),
  point_radius: (value) => circleClause(readPointRadius(value)),
  bounding_box: (value) => {
    const box = readBoundingBox(value);
    return areaClause(
      ({ longitude, latitude }) =>
        box !== undefined &&
        longitude >= box.west &&
        longitude <= box.east &&
        latitude >= box.south &&
        latitude <= box.north,
    );
  },
};

/** Creates the clause for posts in a circle; without a circle, no post matches. */
export function circleClause(circle: PointRadius | undefined): SearchClause {
  return areaClause(({ longitude, latitude }) => {
    if (circle === undefined) return false;
    const east = (longitude - circle.longitude) * Math.cos((circle.latitude * Math.PI) / 180);
    return Math.hypot(east, latitude - circle.latitude) * KM_PER_DEGREE <= circle.radiusKm;
  });
}

function placeClause(fits: (place: PlaceRow) => boolean): SearchClause {
  return {
    standalone: true,
    ...indexedBy("has:geo"),
    matches: (facts) => {
      const place = placeOf(facts);
      return place !== undefined && fits(place);
    },
  };
}

function areaClause(contains: (middle: Point) => boolean): SearchClause {
  return placeClause(({ bbox: [west, south, east, north] }) =>
    contains({ longitude: (west + east) / 2, latitude: (south + north) / 2 }),
  );
}

function placeOf({ world, post }: PostFacts): PlaceRow | undefined {
  return post.placeId === undefined ? undefined : places.in(world).get(post.placeId);
}
