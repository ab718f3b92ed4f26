import { withoutGaps } from "../person.ts";
import type { Wire } from "../wire.ts";
import { dateText } from "./date-text.ts";
import type { ReadUser } from "./objects.ts";

/** Converts a user read from the platform's API to an entry of the `users` map of a delivery with messages. */
export function userInMessages(user: ReadUser): Wire {
  const { created_at } = user;
  const created = created_at === undefined ? undefined : String(Date.parse(created_at));
  return withoutGaps({ id: user.id, created_timestamp: created, ...profileOf(user) });
}

/** Converts a user read from the platform's API to the author of a post in a delivery. */
export function userInPosts(user: ReadUser): Wire {
  const { created_at, public_metrics: metrics } = user;
  return withoutGaps({
    id: user.id,
    id_str: user.id,
    ...profileOf(user),
    listed_count: metrics?.listed_count,
    favourites_count: metrics?.like_count,
    created_at: created_at === undefined ? undefined : dateText(Date.parse(created_at)),
  });
}

function profileOf(user: ReadUser) {
  const { public_metrics: metrics } = user;
  return {
    name: user.name,
    screen_name: user.username,
    location: user.location,
    description: user.description,
    url: user.url,
    protected: user.protected,
    verified: user.verified,
    followers_count: metrics?.followers_count,
    friends_count: metrics?.following_count,
    statuses_count: metrics?.post_count,
    profile_image_url_https: user.profile_image_url,
  };
}
