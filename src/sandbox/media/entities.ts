import * as z from "zod";
import { MEDIA_CATEGORIES, MEDIA_TYPES } from "../../protocol/media.ts";
import { instant } from "../kernel/world/columns.ts";
import { defineTable } from "../kernel/world/table.ts";

const sizeSchema = z.strictObject({ width: z.number(), height: z.number() });

/** Facts that uploads and finished media share. */
const mediaFields = {
  id: z.string(),
  /** `<kind>_<id>`, the name of the medium in posts. */
  mediaKey: z.string(),
  ownerId: z.string(),
  /** Users besides the owner who may use it. */
  additionalOwners: z.array(z.string()),
  category: z.enum(MEDIA_CATEGORIES),
  mediaType: z.enum(MEDIA_TYPES),
  /** Of pictures whose bytes show it. */
  size: sizeSchema.optional(),
  expiresAt: instant,
};

const uploadSchema = z.strictObject({
  ...mediaFields,
  totalBytes: z.number(),
  /** Bytes of each segment received, by its index. */
  segments: z.record(z.string(), z.number()),
  /** The bytes are of another kind than declared. */
  misdeclared: z.boolean(),
});

/** A chunked upload under way. */
export type MediaUploadRow = z.infer<typeof uploadSchema>;

export const uploads = defineTable({
  name: "media_uploads",
  schema: uploadSchema,
  key: (row) => row.id,
  indexes: {},
});

const mediaSchema = z.strictObject({
  ...mediaFields,
  bytes: z.number(),
  altText: z.string().optional(),
  createdAt: instant,
  /** When processing starts and ends; absent for what is ready at once. */
  processing: z.strictObject({ from: instant, to: instant, fails: z.boolean() }).optional(),
});

/** A finished medium: its facts, not its bytes. Stays after it expired, for what it is attached to. */
export type MediaRow = z.infer<typeof mediaSchema>;

export const media = defineTable({
  name: "media",
  schema: mediaSchema,
  key: (row) => row.id,
  indexes: { key: (row) => row.mediaKey },
});

/** A picture's size in pixels. */
export type PixelSize = z.infer<typeof sizeSchema>;
