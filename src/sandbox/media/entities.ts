import * as z from "zod";
import { MEDIA_CATEGORIES, MEDIA_TYPES } from "../../interface/media.ts";
import { defineTable } from "../kernel/table.ts";

const sizeSchema = z.strictObject({ width: z.number(), height: z.number() });

/** What a medium is, whoever uploads it and however. */
const facts = {
  id: z.string(),
  /** `<kind>_<id>`, the name of the medium in posts. */
  mediaKey: z.string(),
  ownerId: z.string(),
  /** Users besides the owner who may use it. */
  additionalOwners: z.array(z.string()),
  category: z.enum(MEDIA_CATEGORIES),
  mediaType: z.enum(MEDIA_TYPES),
  /** Of pictures whose bytes tell. */
  size: sizeSchema.optional(),
  expiresAt: z.number(),
};

const uploadSchema = z.strictObject({
  ...facts,
  totalBytes: z.number(),
  /** Bytes of each segment that came, by its index. */
  segments: z.record(z.string(), z.number()),
  /** The bytes are of another kind than declared. */
  misdeclared: z.boolean(),
});

/** A chunked upload under way. */
export type Upload = z.infer<typeof uploadSchema>;

export const uploads = defineTable({
  name: "media_uploads",
  schema: uploadSchema,
  key: (row) => row.id,
  indexes: {},
});

const mediaSchema = z.strictObject({
  ...facts,
  bytes: z.number(),
  altText: z.string().optional(),
  createdAt: z.number(),
  /** When processing starts and ends; absent for what is ready at once. */
  processing: z.strictObject({ from: z.number(), to: z.number(), fails: z.boolean() }).optional(),
});

/** A finished medium: its facts, not its bytes. Stays after it expired, for what it is attached to. */
export type Media = z.infer<typeof mediaSchema>;

export const media = defineTable({
  name: "media",
  schema: mediaSchema,
  key: (row) => row.id,
  indexes: { key: (row) => row.mediaKey },
});

/** A picture's size in pixels. */
export type PixelSize = z.infer<typeof sizeSchema>;
