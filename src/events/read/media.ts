import type { Wire } from "../wire.ts";
import type { ReadMedia } from "./objects.ts";

/** Converts a picture or video of the data interface to the form of a delivery. */
export function mediumInDelivery({ media_key, type, url, preview_image_url }: ReadMedia): Wire {
  const id = media_key.split("_").at(-1) ?? media_key;
  const shown = url ?? preview_image_url;
  return { id, id_str: id, type, media_url: shown, media_url_https: shown };
}
