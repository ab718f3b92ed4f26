import * as z from "zod";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type PlaceRow, places } from "../model/places.ts";

const degrees = z.number().min(-180).max(180);

export const placeInput = z.strictObject({
  full_name: z.string().min(1),
  name: z.string().min(1).optional(),
  country: z.string().default("Nowhere"),
  country_code: z
    .string()
    .regex(/^[A-Z]{2}$/, "write two capital letters")
    .default("ZZ"),
  place_type: z
    .enum(["poi", "neighborhood", "city", "admin", "country", "unknown"])
    .default("city"),
  bbox: z.tuple([degrees, degrees, degrees, degrees]).default([0, 0, 0, 0]),
  contained_within: z.array(z.string()).default([]),
});

/** Creates a place on the map. */
export function createPlace({ world }: Sandbox, input: z.infer<typeof placeInput>): PlaceRow {
  return places.in(world).put({
    id: world.random.bytes(8).toString("hex"),
    fullName: input.full_name,
    name: input.name ?? input.full_name.split(",")[0] ?? input.full_name,
    country: input.country,
    countryCode: input.country_code,
    type: input.place_type,
    bbox: input.bbox,
    within: input.contained_within,
  });
}
