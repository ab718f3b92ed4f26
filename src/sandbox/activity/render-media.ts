import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import { type MediaRow, media } from "../media/entities.ts";
import { renderMedia } from "../media/render.ts";
import { wireInt } from "./wire.ts";

type Wire = Record<string, unknown>;

/** The size of media whose bytes do not show it. */
const UNKNOWN_SIZE = { width: 0, height: 0 };

/**
 * The media of a post or message as event bodies carry them; those the sandbox does not have are left out.
 *
 * @param at Where in the text the link to them would be: after its last character.
 */
export function mediaInEvent(world: SandboxWorld, ids: readonly string[], at: number): Wire[] {
  return ids
    .map((id) => media.in(world).get(id))
    .filter((found): found is MediaRow => found !== undefined)
    .map((found) => oneMediaInEvent(found, at));
}

function oneMediaInEvent(medium: MediaRow, at: number): Wire {
  const { url, preview_image_url: preview, type } = renderMedia(medium);
  const page = `https://platform.example/i/media/${medium.id}`;
  const { width: w, height: h } = medium.size ?? UNKNOWN_SIZE;
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
