import { type PlaceRow, places } from "../model/places.ts";
import { type SearchClause, indexedBy, type SearchOperator, dependentClause } from "./clause.ts";
import type { PostFacts } from "./facts.ts";
import { SearchSyntaxError } from "../../protocol/search-query/tokens.ts";

const KM_PER_MILE = 1.609344;
const KM_PER_DEGREE = 111.32;
/** Maximum length of a radius or of the side of a box. */
const MAX_KM = 25 * KM_PER_MILE;

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
  point_radius: (value, at) => {
    const match = /^\s*(\S+)\s+(\S+)\s+([\d.]+)(km|mi)\s*$/.exec(value);
    const [longitude, latitude] = [Number(match?.[1]), Number(match?.[2])];
    const radius = Number(match?.[3]) * (match?.[4] === "mi" ? KM_PER_MILE : 1);
    if (!(Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90 && radius <= MAX_KM)) {
      throw new SearchSyntaxError(
        "point_radius takes [longitude latitude radius], at most 25mi",
        at,
      );
    }
    return dependentClause((facts) => {
      const middle = middleOf(placeOf(facts));
      if (middle === undefined) return false;
      const east = (middle.longitude - longitude) * Math.cos((latitude * Math.PI) / 180);
      return Math.hypot(east, middle.latitude - latitude) * KM_PER_DEGREE <= radius;
    });
  },
  bounding_box: (value, at) => {
    const [west = NaN, south = NaN, east = NaN, north = NaN] = value
      .trim()
      .split(/\s+/)
      .map(Number);
    if (!(west < east && south < north)) {
      throw new SearchSyntaxError("bounding_box takes [west south east north]", at);
    }
    return dependentClause((facts) => {
      const middle = middleOf(placeOf(facts));
      if (middle === undefined) return false;
      const { longitude, latitude } = middle;
      return longitude >= west && longitude <= east && latitude >= south && latitude <= north;
    });
  },
};

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

function placeOf({ world, post }: PostFacts): PlaceRow | undefined {
  return post.placeId === undefined ? undefined : places.in(world).get(post.placeId);
}

function middleOf(
  place: PlaceRow | undefined,
): { longitude: number; latitude: number } | undefined {
  if (place === undefined) return undefined;
  const [west, south, east, north] = place.bbox;
  return { longitude: (west + east) / 2, latitude: (south + north) / 2 };
}
