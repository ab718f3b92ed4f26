import type { Wire } from "../wire.ts";
import type { ReadEntities, ReadLink } from "./objects.ts";

/** Converts `entities` from the platform's API to the form of a webhook delivery, with every list present. */
export function entitiesInDelivery(entities: ReadEntities = {}): Wire {
  const { hashtags = [], cashtags = [], mentions = [], urls = [] } = entities;
  // deliveries have one link for all pictures of a message or post, so only the first picture link is used
  const pictures = urls.filter((one) => one.media_key !== undefined);
  const tag = (one: { readonly tag: string; readonly start: number; readonly end: number }) => ({
    text: one.tag,
    indices: [one.start, one.end],
  });
  return {
    hashtags: hashtags.map(tag),
    symbols: cashtags.map(tag),
    user_mentions: mentions.map(({ username, id, start, end }) => ({
      screen_name: username,
      ...(id === undefined ? {} : { id, id_str: id }),
      indices: [start, end],
    })),
    urls: urls.filter((one) => one.media_key === undefined).map(link),
    ...(pictures.length === 0 ? {} : { media: pictures.slice(0, 1).map(link) }),
  };
}

function link({ url, expanded_url, display_url, start, end }: ReadLink): Wire {
  return {
    url,
    ...(expanded_url === undefined ? {} : { expanded_url }),
    ...(display_url === undefined ? {} : { display_url }),
    indices: [start, end],
  };
}
