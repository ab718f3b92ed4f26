import * as z from "zod";
import { isSameText } from "./same-text.ts";

/** Absolute path of a picture or video file on this machine. */
export const attachedFile = z.string().min(1).exactOptional();

/**
 * Whether `shown` can be the platform's version of the text of a message or post that may have media. The platform may
 * append a link to the media.
 *
 * @param same Function that compares two texts.
 */
export function isSameWithMedia(
  written: { readonly text: string; readonly media?: string },
  shown: string,
  same: (written: string, shown: string) => boolean = isSameText,
): boolean {
  if (same(written.text, shown)) return true;
  return (
    written.media !== undefined &&
    same(written.text, shown.replace(/(?<!\s)\s*https?:\/\/\S+$/, ""))
  );
}
