/**
 * Categories of media uploads. Source of the lists and limits in this file: the live service's documentation. The API
 * documentation on which the other files are based only names the endpoint.
 */
export const MEDIA_CATEGORIES = [
  "tweet_image",
  "tweet_gif",
  "tweet_video",
  "dm_image",
  "dm_gif",
  "dm_video",
  "amplify_video",
  "subtitles",
] as const;

export type MediaCategory = (typeof MEDIA_CATEGORIES)[number];

export const MEDIA_TYPES = [
  "image/jpeg",
  "image/pjpeg",
  "image/png",
  "image/webp",
  "image/bmp",
  "image/tiff",
  "image/gif",
  "video/mp4",
  "video/webm",
  "video/mp2t",
  "video/quicktime",
  "text/srt",
  "text/vtt",
] as const;

export type MediaType = (typeof MEDIA_TYPES)[number];

/** Maximum size of an upload in bytes, by kind. */
export const MEDIA_BYTES = {
  image: 5 * 1024 * 1024,
  gif: 15 * 1024 * 1024,
  video: 512 * 1024 * 1024,
  subtitles: 5 * 1024 * 1024,
} as const;

/** Highest `segment_index` of a chunked upload. */
export const LAST_SEGMENT = 999;

/** Seconds after which an unfinished upload expires. */
export const UPLOAD_SECONDS = 1_295_999;

/** Seconds for which a finished medium can be attached. */
export const MEDIA_SECONDS = 86_400;
