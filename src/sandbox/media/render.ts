import type { Media, PixelSize, Upload } from "./entities.ts";
import { CATEGORIES } from "./kinds.ts";
import { type Processing, processingOf } from "./processing.ts";

/** Whole seconds left until `at`. */
function secondsLeft(at: number, now: number): number {
  return Math.max(0, Math.floor((at - now) / 1000));
}

/** An upload or medium as the upload endpoints of v2 tell it. */
export function renderUploaded(told: Media | Upload, now: number): Record<string, unknown> {
  return {
    id: told.id,
    ...(CATEGORIES[told.category].kind === "subtitles" ? {} : { media_key: told.mediaKey }),
    ...measures(told, now),
  };
}

/** The same in 1.1, where a number stands beside the id. */
export function renderUploadedV1(told: Media | Upload, now: number): Record<string, unknown> {
  const { processing_info: info, ...rest } = measures(told, now);
  const failed = info?.state === "failed";
  const error = { code: 1, name: "InvalidMedia", message: "Unsupported video format" };
  return {
    // Beyond what a JavaScript number holds; clients are told to use the text.
    media_id: Number(told.id),
    media_id_string: told.id,
    media_key: told.mediaKey,
    ...rest,
    ...(info === undefined ? {} : { processing_info: failed ? { ...info, error } : info }),
  };
}

interface Measures extends Record<string, unknown> {
  readonly expires_after_secs: number;
  readonly processing_info?: Processing;
}

function measures(told: Media | Upload, now: number): Measures {
  const expires_after_secs = secondsLeft(told.expiresAt, now);
  if (!("bytes" in told)) return { expires_after_secs };
  const processing_info = processingOf(told, now);
  return {
    size: told.bytes,
    expires_after_secs,
    ...imageOf(told),
    ...(processing_info === undefined ? {} : { processing_info }),
  };
}

function imageOf({ category, mediaType, size }: Media) {
  const { kind } = CATEGORIES[category];
  if (kind === "video") return { video: { video_type: mediaType } };
  if (kind === "subtitles") return {};
  return { image: { image_type: mediaType, ...pixels(size) } };
}

function pixels(size: PixelSize | undefined): { w?: number; h?: number } {
  return size === undefined ? {} : { w: size.width, h: size.height };
}

const TYPE_NAMES = {
  image: "photo",
  gif: "animated_gif",
  video: "video",
  subtitles: "subtitles",
} as const;

/** Every field the sandbox knows of a medium, as `includes.media` spells it. */
export function renderMedia(medium: Media): Record<string, unknown> {
  const { kind } = CATEGORIES[medium.category];
  const url = `https://media.example/${medium.mediaKey}`;
  const { size, altText } = medium;
  const still = kind === "image" ? { url } : { preview_image_url: `${url}/preview` };
  const film = {
    variants: [{ bit_rate: 832_000, content_type: "video/mp4", url: `${url}/film` }],
    public_metrics: { view_count: 0 },
  };
  return {
    media_key: medium.mediaKey,
    type: TYPE_NAMES[kind],
    ...still,
    ...(kind === "image" ? {} : film),
    ...size,
    ...(altText === undefined ? {} : { alt_text: altText }),
  };
}
