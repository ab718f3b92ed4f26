import * as z from "zod";
import { isSameText } from "./same-text.ts";

/** Absolute path of a picture or video file on this machine. */
export const attachedFile = z.string().min(1).exactOptional();

/**
 * Compares texts like `isSameText`, for a message or post with media, to which the platform may append a link.
 *
 * @param same Comparison of the texts.
 */
export function isSameWithMedia(
  written: { readonly text: string; readonly media?: string },
  shown: string,
  same: (written: string, shown: string) => boolean = isSameText,
): boolean {
  if (same(written.text, shown)) return true;
  return written.media !== undefined && same(written.text, shown.replace(/\s*https?:\/\/\S+$/, ""));
}
