import { imageSize } from "image-size";
import type { MediaType } from "../../interface/media.ts";
import type { PixelSize } from "./entities.ts";

const TYPES: Readonly<Record<string, MediaType>> = {
  jpg: "image/jpeg",
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
  bmp: "image/bmp",
  tiff: "image/tiff",
};

/** What the first bytes of a picture tell; nothing for other bytes. */
export function measure(
  bytes: Uint8Array,
): { readonly type: MediaType; readonly size: PixelSize } | undefined {
  try {
    const { type = "", width, height } = imageSize(bytes);
    const known = TYPES[type];
    return known === undefined ? undefined : { type: known, size: { width, height } };
  } catch {
    // The library throws for anything that is not a picture, which is an answer here.
    return undefined;
  }
}
