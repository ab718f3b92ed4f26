import type { MediaType } from "../../protocol/media.ts";
import {
  type MediaRow,
  type PixelSize,
  type MediaUploadRow,
  CATEGORIES,
  type Processing,
  processingOf,
} from "../model/media.ts";

/** Returns the whole seconds remaining until `at`. */
function secondsLeft(at: number, now: number): number {
  return Math.max(0, Math.floor((at - now) / 1000));
}

/** Renders an upload or medium for the upload endpoints of v2. */
export function renderUploaded(
  uploaded: MediaRow | MediaUploadRow,
  now: number,
): Record<string, unknown> {
  return {
    id: uploaded.id,
    ...(CATEGORIES[uploaded.category].kind === "subtitles" ? {} : { media_key: uploaded.mediaKey }),
    ...sizeAndState(uploaded, now),
  };
}

/** Renders an upload or medium for 1.1, which has the id also as a number. */
export function renderUploadedV1(
  uploaded: MediaRow | MediaUploadRow,
  now: number,
): Record<string, unknown> {
  const { processing_info: info, ...rest } = sizeAndState(uploaded, now);
  const failed = info?.state === "failed";
  const error = { code: 1, name: "InvalidMedia", message: "Unsupported video format" };
  return {
    media_id: BigInt(uploaded.id),
    media_id_string: uploaded.id,
    media_key: uploaded.mediaKey,
    ...rest,
    ...(info === undefined ? {} : { processing_info: failed ? { ...info, error } : info }),
  };
}

interface SizeAndState extends Record<string, unknown> {
  readonly expires_after_secs: number;
  readonly processing_info?: Processing;
}

function sizeAndState(uploaded: MediaRow | MediaUploadRow, now: number): SizeAndState {
  const expires_after_secs = secondsLeft(uploaded.expiresAt, now);
  if (!("bytes" in uploaded)) return { expires_after_secs };
  const processing_info = processingOf(uploaded, now);
  return {
    size: uploaded.bytes,
    expires_after_secs,
    ...imageOf(uploaded),
    ...(processing_info === undefined ? {} : { processing_info }),
  };
}

function imageOf({ category, mediaType, size }: MediaRow) {
  const { kind } = CATEGORIES[category];
  if (kind === "video") return { video: { video_type: mediaType } };
  if (kind === "subtitles") return {};
  return { image: { image_type: mediaType, ...pixels(size) } };
}

function pixels(size: PixelSize | undefined): { w?: number; h?: number } {
  return size === undefined ? {} : { w: size.width, h: size.height };
}

/** Path under which the media of messages are downloaded. */
export const MESSAGE_MEDIA = "/1.1/ton/data/dm";

/** End of the file name of a video's preview picture, before its extension. */
export const PREVIEW = "-preview";

/** File name extension of each media type. */
const EXTENSIONS: Readonly<Record<MediaType, string>> = {
  "image/jpeg": "jpg",
  "image/pjpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
  "image/bmp": "bmp",
  "image/tiff": "tiff",
  "image/gif": "gif",
  "video/mp4": "mp4",
  "video/webm": "webm",
  "video/mp2t": "ts",
  "video/quicktime": "mov",
  "text/srt": "srt",
  "text/vtt": "vtt",
};

const TYPE_NAMES = {
  image: "photo",
  gif: "animated_gif",
  video: "video",
  subtitles: "subtitles",
} as const;

/**
 * Renders every field of a medium that the sandbox supports, with the names that `includes.media` uses.
 *
 * @param baseUrl Origin of the medium's URL, without a slash at the end.
 * @param messageId Message to which the medium is attached. Its participants alone can download the medium.
 */
export function renderMedia(
  baseUrl: string,
  medium: MediaRow,
  messageId?: string,
): Record<string, unknown> {
  const { kind } = CATEGORIES[medium.category];
  const folder = messageId === undefined ? "/media" : `${MESSAGE_MEDIA}/${messageId}/${medium.id}`;
  const url = `${baseUrl}${folder}/${medium.mediaKey}.${EXTENSIONS[medium.mediaType]}`;
  const { size, altText } = medium;
  const preview =
    kind === "image"
      ? { url }
      : { preview_image_url: `${baseUrl}${folder}/${medium.mediaKey}${PREVIEW}.png` };
  const video = {
    variants: [{ bit_rate: 832_000, content_type: "video/mp4", url }],
    public_metrics: { view_count: 0 },
  };
  return {
    media_key: medium.mediaKey,
    type: TYPE_NAMES[kind],
    ...preview,
    ...(kind === "image" ? {} : video),
    ...size,
    ...(altText === undefined ? {} : { alt_text: altText }),
  };
}
