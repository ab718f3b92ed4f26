import * as z from "zod";
import { isSameText } from "./same-text.ts";

/** A picture or video that goes with a text: the absolute path of its file on this machine. */
export const attachedFile = z.string().min(1).exactOptional();

/**
 * As `isSameText`, for a text with a picture or video: the platform may put the link to it at the end.
 *
 * @param same Compares the texts otherwise.
 */
export function isSameWithMedia(
  written: { readonly text: string; readonly media?: string },
  shown: string,
  same: (written: string, shown: string) => boolean = isSameText,
): boolean {
  if (same(written.text, shown)) return true;
  return written.media !== undefined && same(written.text, shown.replace(/\s*https?:\/\/\S+$/, ""));
}
