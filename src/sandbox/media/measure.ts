import { imageSize } from "image-size";
import type { MediaType } from "../../protocol/media.ts";
import type { PixelSize } from "../model/media.ts";

const TYPES: Readonly<Record<string, MediaType>> = {
  jpg: "image/jpeg",
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
  bmp: "image/bmp",
  tiff: "image/tiff",
};

/** Returns type and size of a picture by its first bytes; `undefined` for other bytes. */
export function measure(
  bytes: Uint8Array,
): { readonly type: MediaType; readonly size: PixelSize } | undefined {
  try {
    const { type = "", width, height } = imageSize(bytes);
    const mediaType = TYPES[type];
    return mediaType === undefined ? undefined : { type: mediaType, size: { width, height } };
  } catch {
    // The library throws for anything that is not a picture.
    return undefined;
  }
}
