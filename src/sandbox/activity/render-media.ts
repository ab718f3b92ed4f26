import type { World } from "../kernel/world.ts";
import { type Media, media } from "../media/entities.ts";
import { renderMedia } from "../media/render.ts";
import { wireInt } from "./wire.ts";

type Wire = Record<string, unknown>;

/** Where no bytes tell how large a picture is. */
const UNKNOWN = { width: 0, height: 0 };

/**
 * The media of a post or message as event bodies carry them; those the sandbox does not hold are left out.
 *
 * @param at Where in the text the link to them would stand: behind its last letter.
 */
export function mediaInEvent(world: World, ids: readonly string[], at: number): Wire[] {
  return ids
    .map((id) => media.in(world).get(id))
    .filter((found): found is Media => found !== undefined)
    .map((found) => mediumInEvent(found, at));
}

function mediumInEvent(medium: Media, at: number): Wire {
  const { url, preview_image_url: preview, type } = renderMedia(medium);
  const page = `https://platform.example/i/media/${medium.id}`;
  const { width: w, height: h } = medium.size ?? UNKNOWN;
  const fit = { w, h, resize: "fit" };
  return {
    id: wireInt(medium.id),
    id_str: medium.id,
    indices: [at, at],
    media_url: url ?? preview,
    media_url_https: url ?? preview,
    url: page,
    display_url: page.slice("https://".length),
    expanded_url: page,
    type,
    sizes: { thumb: { w, h, resize: "crop" }, small: fit, medium: fit, large: fit },
  };
}
