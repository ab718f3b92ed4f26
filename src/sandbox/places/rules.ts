import * as z from "zod";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type PlaceRow, places } from "../model/places.ts";

const degrees = z.number().min(-180).max(180);

export const placeInput = z.strictObject({
  full_name: z.string().min(1),
  id: z
    .string()
    .regex(/^[0-9a-f]{16}$/, "write 16 hexadecimal digits")
    .optional(),
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

/** Creates a place on the map. @throws {ApiError} 400 when the id is taken. */
export function createPlace({ world }: Sandbox, input: z.infer<typeof placeInput>): PlaceRow {
  if (input.id !== undefined && places.in(world).get(input.id) !== undefined) {
    throw ApiError.control(400, "id_taken", `There is already a place ${input.id}.`);
  }
  return places.in(world).put({
    id: input.id ?? world.random.bytes(8).toString("hex"),
    fullName: input.full_name,
    name: input.name ?? input.full_name.split(",")[0] ?? input.full_name,
    country: input.country,
    countryCode: input.country_code,
    type: input.place_type,
    bbox: input.bbox,
    within: input.contained_within,
  });
}
