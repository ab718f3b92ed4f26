import type { Wire } from "../wire.ts";
import type { ReadEntities, ReadLink, ReadTag } from "./objects.ts";

/** Converts `entities` from the platform's API to the form of a webhook delivery, with every list present. */
export function entitiesInDelivery(entities: ReadEntities = {}): Wire {
  const urls = entities.urls ?? [];
  // deliveries have one link for all pictures of a message or post, so only the first picture link is used
  const pictures = urls.filter(isPicture);
  return {
    hashtags: (entities.hashtags ?? []).map(tag),
    symbols: (entities.cashtags ?? []).map(tag),
    user_mentions: (entities.mentions ?? []).map(({ username, id, start, end }) => ({
      screen_name: username,
      ...(typeof id === "string" ? { id, id_str: id } : {}),
      indices: [start, end],
    })),
    urls: urls.filter((one) => !isPicture(one)).map(link),
    ...(pictures.length === 0 ? {} : { media: pictures.slice(0, 1).map(link) }),
  };
}

function isPicture({ media_key }: ReadLink): boolean {
  return typeof media_key === "string";
}

function tag({ tag: text, start, end }: ReadTag): Wire {
  return { text, indices: [start, end] };
}

function link({ url, expanded_url, display_url, start, end }: ReadLink): Wire {
  return {
    url,
    ...(expanded_url === undefined ? {} : { expanded_url }),
    ...(display_url === undefined ? {} : { display_url }),
    indices: [start, end],
  };
}
