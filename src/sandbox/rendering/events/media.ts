import type { WireObject } from "../selection.ts";
import type { SandboxWorld } from "../../kernel/world/sandbox-world.ts";
import { type MediaRow, media } from "../../model/media.ts";
import { renderMedia } from "../media.ts";
import { wireInt } from "./wire.ts";

/** A link in a text, as event bodies carry it. */
export interface WireLink {
  readonly url: string;
  readonly expanded_url: string;
  readonly display_url: string;
  /** From the first character to the one after the last, in code points. */
  readonly indices: readonly [number, number];
}

/** The size of media whose bytes do not show it. */
const UNKNOWN_SIZE = { width: 0, height: 0 };

/**
 * The media of a post or message as event bodies carry them; those the sandbox does not have are left out.
 *
 * @param link What stands for them at the end of the text.
 */
export function mediaInEvent(
  world: SandboxWorld,
  ids: readonly string[],
  link: WireLink | undefined,
): WireObject[] {
  return ids
    .map((id) => media.in(world).get(id))
    .filter((found): found is MediaRow => found !== undefined)
    .map((found) => oneMediaInEvent(found, link));
}

function oneMediaInEvent(medium: MediaRow, link: WireLink | undefined): WireObject {
  const { url, preview_image_url: preview, type } = renderMedia(medium);
  const { width: w, height: h } = medium.size ?? UNKNOWN_SIZE;
  const fit = { w, h, resize: "fit" };
  return {
    id: wireInt(medium.id),
    id_str: medium.id,
    media_url: url ?? preview,
    media_url_https: url ?? preview,
    ...link,
    type,
    sizes: { thumb: { w, h, resize: "crop" }, small: fit, medium: fit, large: fit },
  };
}
