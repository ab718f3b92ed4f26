import * as z from "zod";
import {
  MEDIA_CATEGORIES,
  MEDIA_TYPES,
  type MediaCategory,
  type MediaType,
} from "../../protocol/media.ts";
import { instant } from "../kernel/world/columns.ts";
import { defineTable } from "../kernel/world/table.ts";

const sizeSchema = z.strictObject({ width: z.number(), height: z.number() });

/** Fields that uploads and finished media share. */
const mediaFields = {
  id: z.string(),
  /** Name of the medium in posts: `<prefix>_<id>`, with the prefix of its category. */
  mediaKey: z.string(),
  ownerId: z.string(),
  /** Ids of users besides the owner who may attach the medium. */
  additionalOwners: z.array(z.string()),
  category: z.enum(MEDIA_CATEGORIES),
  mediaType: z.enum(MEDIA_TYPES),
  /** Set if the upload named no category; `category` is then derived from the media type. */
  undeclared: z.literal(true).optional(),
  /** Size in pixels; absent if it can't be read from the bytes. */
  size: sizeSchema.optional(),
  expiresAt: instant,
};

const uploadSchema = z.strictObject({
  ...mediaFields,
  totalBytes: z.number(),
  /** Number of bytes of each received segment, by its index. */
  segments: z.record(z.string(), z.number()),
  /** Whether the bytes have another media type than the upload declared. */
  misdeclared: z.boolean(),
});

/** A chunked upload in progress. */
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
  /** Times at which processing starts and ends; absent for media that are ready at once. */
  processing: z.strictObject({ from: instant, to: instant, fails: z.boolean() }).optional(),
});

/** A finished medium. The row stays after the expiry, since posts and messages still show the medium. */
export type MediaRow = z.infer<typeof mediaSchema>;

export const media = defineTable({
  name: "media",
  schema: mediaSchema,
  key: (row) => row.id,
  indexes: { key: (row) => row.mediaKey },
});

const contentSchema = z.strictObject({
  /** Key of the row: `<media id>:<segment index>`. */
  id: z.string(),
  mediaId: z.string(),
  segment: z.int().min(0),
  base64: z.string(),
});

/** Bytes of one segment of an upload. A medium that was uploaded in one request has one segment. */
export type MediaContentRow = z.infer<typeof contentSchema>;

export const mediaContents = defineTable({
  name: "media_contents",
  schema: contentSchema,
  key: (row) => row.id,
  indexes: { medium: (row) => row.mediaId },
});

/** A picture's size in pixels. */
export type PixelSize = z.infer<typeof sizeSchema>;

export type MediaKind = "image" | "gif" | "video" | "subtitles";

interface CategoryFacts {
  readonly kind: MediaKind;
  /** Number that begins the media keys of the category: `3` in `3_123`. */
  readonly prefix: string;
  /** Kind of object that media of the category can be attached to. */
  readonly place: "post" | "message" | "nowhere";
}

export const CATEGORIES: Readonly<Record<MediaCategory, CategoryFacts>> = {
  tweet_image: { kind: "image", prefix: "3", place: "post" },
  tweet_gif: { kind: "gif", prefix: "16", place: "post" },
  tweet_video: { kind: "video", prefix: "7", place: "post" },
  amplify_video: { kind: "video", prefix: "13", place: "post" },
  dm_image: { kind: "image", prefix: "3", place: "message" },
  dm_gif: { kind: "gif", prefix: "16", place: "message" },
  dm_video: { kind: "video", prefix: "7", place: "message" },
  subtitles: { kind: "subtitles", prefix: "4", place: "nowhere" },
};

/** Returns whether `type` is allowed in `category`. `image/gif` is also allowed in the categories of pictures. */
export function typeFits(type: MediaType, category: MediaCategory): boolean {
  const { kind } = CATEGORIES[category];
  if (kind === "gif") return type === "image/gif";
  return type.startsWith(`${kind === "subtitles" ? "text" : kind}/`);
}

/** Returns the category of an upload that names none. */
export function categoryOf(type: MediaType): MediaCategory {
  if (type === "image/gif") return "tweet_gif";
  if (type.startsWith("video/")) return "tweet_video";
  return type.startsWith("text/") ? "subtitles" : "tweet_image";
}

/** Returns the media type that is assumed if neither the bytes nor the request determine the type. */
export function assumedType(category: MediaCategory): MediaType {
  switch (CATEGORIES[category].kind) {
    case "image":
      return "image/jpeg";
    case "gif":
      return "image/gif";
    case "video":
      return "video/mp4";
    case "subtitles":
      return "text/srt";
  }
}

export interface Processing {
  readonly state: "pending" | "in_progress" | "succeeded" | "failed";
  readonly check_after_secs?: number;
  readonly progress_percent?: number;
}

/** Returns the progress of processing at the time `now`; `undefined` for a medium that is ready without processing. */
export function processingOf({ processing }: MediaRow, now: number): Processing | undefined {
  if (processing === undefined) return undefined;
  const { from, to, fails } = processing;
  const secondsTo = (at: number): number => Math.max(1, Math.ceil((at - now) / 1000));
  if (now < from) return { state: "pending", check_after_secs: secondsTo(from) };
  if (now < to) {
    const progress = Math.floor(((now - from) / (to - from)) * 100);
    return {
      state: "in_progress",
      check_after_secs: secondsTo(to),
      progress_percent: progress,
    };
  }
  return fails ? { state: "failed" } : { state: "succeeded", progress_percent: 100 };
}

/**
 * Returns whether posts, or messages, accept the medium. Except subtitles, both accept media without a declared
 * category.
 */
export function fitsPlace({ category, undeclared }: MediaRow, place: "post" | "message"): boolean {
  const { place: own } = CATEGORIES[category];
  return own === place || (undeclared === true && own !== "nowhere");
}

/** Returns whether a medium can be attached at `now`: it needs no processing, or the processing has succeeded. */
export function isReady(medium: MediaRow, now: number): boolean {
  const { state } = processingOf(medium, now) ?? { state: "succeeded" };
  return state === "succeeded";
}
