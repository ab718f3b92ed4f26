import type { WireObject } from "../selection.ts";
import type { SandboxWorld } from "../../kernel/world/sandbox-world.ts";
import { type MediaRow, media } from "../../model/media.ts";
import { renderMedia } from "../media.ts";
import { wireInt } from "./wire.ts";

/** A link in a text, in the form of event bodies. */
export interface WireLink {
  readonly url: string;
  readonly expanded_url: string;
  readonly display_url: string;
  /** Start and end offset in code points; the end is excluded. */
  readonly indices: readonly [number, number];
}

/** Shown size of media whose real size is not known. */
const UNKNOWN_SIZE = { width: 0, height: 0 };

/**
 * Renders the media of a post or message for event bodies; ids without a stored medium are skipped.
 *
 * @param link Link at the end of the text that represents the media.
 * @param message Message that has the media, and the origin for the media's URLs; by default the sandbox's.
 */
export function mediaInEvent(
  world: SandboxWorld,
  ids: readonly string[],
  link: WireLink | undefined,
  message?: { readonly id: string; readonly baseUrl: string },
): WireObject[] {
  return ids
    .map((id) => media.in(world).get(id))
    .filter((row): row is MediaRow => row !== undefined)
    .map((row) => ({
      ...oneMediaInEvent(row, renderMedia(message?.baseUrl ?? world.baseUrl, row, message?.id)),
      ...link,
    }));
}

function oneMediaInEvent(medium: MediaRow, rendered: WireObject): WireObject {
  const { url, preview_image_url: preview, type } = rendered;
  const { width: w, height: h } = medium.size ?? UNKNOWN_SIZE;
  const fit = { w, h, resize: "fit" };
  return {
    id: wireInt(medium.id),
    id_str: medium.id,
    media_url: url ?? preview,
    media_url_https: url ?? preview,
    type,
    sizes: { thumb: { w, h, resize: "crop" }, small: fit, medium: fit, large: fit },
  };
}
