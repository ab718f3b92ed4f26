/** Circle of the search operator `point_radius:`, in degrees and kilometres. */
export interface PointRadius {
  readonly longitude: number;
  readonly latitude: number;
  readonly radiusKm: number;
}

/** Box of the search operator `bounding_box:`, as its sides in degrees. */
export interface BoundingBox {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

const KM_PER_MILE = 1.609344;
/** Length of a degree of latitude, in kilometres. */
export const KM_PER_DEGREE = 111.32;
/** Longest radius, and longest side of a box, in kilometres. */
const MAX_KM = 25 * KM_PER_MILE;

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** Reads `LONGITUDE LATITUDE RADIUS`, such as `2.35 48.86 16km`; `undefined` for anything else, and beyond `maxKm`. */
export function readPointRadius(value: string, maxKm = MAX_KM): PointRadius | undefined {
  const [, radius, unit] =
    /^(\d+(?:\.\d+)?)(km|mi)$/.exec(value.trim().split(/\s+/)[2] ?? "") ?? [];
  const [longitude, latitude, ...others] = numbersOf(value.replace(/\s\S+\s*$/, ""));
  const radiusKm = Number(radius) * (unit === "mi" ? KM_PER_MILE : 1);
  if (longitude === undefined || latitude === undefined || others.length > 0) return undefined;
  return isOnEarth(longitude, latitude) && radiusKm <= maxKm
    ? { longitude, latitude, radiusKm }
    : undefined;
}

/** Reads `WEST SOUTH EAST NORTH`; `undefined` for anything else, and for sides beyond 25 miles. */
export function readBoundingBox(value: string): BoundingBox | undefined {
  const [west, south, east, north, ...others] = numbersOf(value);
  if (west === undefined || south === undefined || others.length > 0) return undefined;
  if (east === undefined || north === undefined) return undefined;
  const isBox = isOnEarth(west, south) && isOnEarth(east, north) && west < east && south < north;
  const width = (east - west) * KM_PER_DEGREE * Math.cos((south * Math.PI) / 180);
  const height = (north - south) * KM_PER_DEGREE;
  return isBox && Math.max(width, height) <= MAX_KM ? { west, south, east, north } : undefined;
}

/** Returns whether the operator `point_radius:` accepts a value. */
export const isPointRadius = (value: string): boolean => readPointRadius(value) !== undefined;

/** Returns whether the operator `bounding_box:` accepts a value. */
export const isBoundingBox = (value: string): boolean => readBoundingBox(value) !== undefined;

function numbersOf(value: string): readonly (number | undefined)[] {
  return value
    .trim()
    .split(/\s+/)
    .map((one) => (NUMBER.test(one) ? Number(one) : undefined));
}

function isOnEarth(longitude: number, latitude: number): boolean {
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90;
}
