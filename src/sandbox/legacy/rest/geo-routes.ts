import { type PlaceRow, places } from "../../model/places.ts";
import type { WireObject } from "../../rendering/selection.ts";
import type { Route, RouteCall, RouteResponse } from "../../server/route.ts";
import { LEGACY } from "../ledger.ts";
import { badParameter, coded } from "./coded-errors.ts";
import { LegacyParameters } from "./parameters.ts";
import { legacyBody } from "./respond.ts";

const MAX_RESULTS = 20;

const reading = {
  ledger: LEGACY,
  auth: ["oauth1", "bearer"],
  method: "GET",
  limits: { app: 15, user: 15 },
} as const;

/** Routes that find a place by its id, the places around a point, and the places with a name. */
export const geoRoutes: readonly Route[] = [
  {
    ...reading,
    path: "/1.1/geo/id/:file",
    handle: ({ sandbox, params }) => {
      const id = /^([0-9a-f]{16})\.json$/.exec(params["file"] ?? "")?.[1];
      const place = id === undefined ? undefined : places.in(sandbox.world).get(id);
      if (place === undefined) throw coded("pageMissing");
      return legacyBody(rendered(place));
    },
  },
  {
    ...reading,
    path: "/1.1/geo/reverse_geocode.json",
    handle: (call) => {
      const params = new LegacyParameters(call);
      const point = pointOf(params);
      if (point === undefined) throw coded("missing");
      return placesThat(call, params, (place) => isWithin(place, point));
    },
  },
  {
    ...reading,
    path: "/1.1/geo/search.json",
    handle: (call) => {
      const params = new LegacyParameters(call);
      const point = pointOf(params);
      const name = params.text("query")?.toLowerCase();
      if (point === undefined && name === undefined) throw coded("missing");
      return placesThat(
        call,
        params,
        (place) =>
          (point === undefined || isWithin(place, point)) &&
          (name === undefined || place.fullName.toLowerCase().includes(name)),
      );
    },
  },
];

interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** Reads `lat` and `long`, in degrees. @throws {ApiError} 400, code 44. */
function pointOf(params: LegacyParameters): Point | undefined {
  const [lat, long] = [params.text("lat"), params.text("long")];
  if (lat === undefined && long === undefined) return undefined;
  const [latitude, longitude] = [Number(lat ?? NaN), Number(long ?? NaN)];
  if (!(Math.abs(latitude) <= 90)) throw badParameter("lat");
  if (!(Math.abs(longitude) <= 180)) throw badParameter("long");
  return { latitude, longitude };
}

function isWithin({ bbox }: PlaceRow, { latitude, longitude }: Point): boolean {
  const [west, south, east, north] = bbox;
  return longitude >= west && longitude <= east && latitude >= south && latitude <= north;
}

function placesThat(
  call: RouteCall,
  params: LegacyParameters,
  fits: (place: PlaceRow) => boolean,
): RouteResponse {
  const wanted = Number(params.text("max_results") ?? MAX_RESULTS);
  if (!Number.isInteger(wanted) || wanted < 1) throw badParameter("max_results");
  const fitting = [...places.in(call.sandbox.world).all()].filter(fits);
  return legacyBody({
    query: {
      url: call.path,
      type: call.path.split("/").at(-1)?.replace(".json", ""),
      params: Object.fromEntries(call.query),
    },
    result: { places: fitting.slice(0, wanted).map(rendered) },
  });
}

function rendered(place: PlaceRow): WireObject {
  const [west, south, east, north] = place.bbox;
  const corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ];
  return {
    id: place.id,
    url: `https://platform.example/1.1/geo/id/${place.id}.json`,
    place_type: place.type,
    name: place.name,
    full_name: place.fullName,
    country_code: place.countryCode,
    country: place.country,
    contained_within: place.within.map((id) => ({ id })),
    centroid: [(west + east) / 2, (south + north) / 2],
    bounding_box: { type: "Polygon", coordinates: [corners] },
    attributes: {},
  };
}
