import * as z from "zod";
import { defineTable } from "../kernel/world/table.ts";

const placeSchema = z.strictObject({
  id: z.string().regex(/^[0-9a-f]{16}$/),
  fullName: z.string(),
  name: z.string(),
  country: z.string(),
  countryCode: z.string(),
  type: z.enum(["poi", "neighborhood", "city", "admin", "country", "unknown"]),
  /** Bounding box: west, south, east, north, in degrees. */
  bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  within: z.array(z.string()),
});

/** A place that posts can be tagged with. */
export type PlaceRow = z.infer<typeof placeSchema>;

export const places = defineTable({
  name: "places",
  schema: placeSchema,
  key: (row) => row.id,
  indexes: {},
});
