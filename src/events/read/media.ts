import type { Wire } from "../wire.ts";
import type { ReadMedia } from "./objects.ts";

/** Converts a picture or video read from the platform's API to the form of a webhook delivery. */
export function mediumInDelivery({ media_key, type, url, preview_image_url }: ReadMedia): Wire {
  const id = media_key.split("_").at(-1) ?? media_key;
  const shown = url ?? preview_image_url;
  return { id, id_str: id, type, media_url: shown, media_url_https: shown };
}
