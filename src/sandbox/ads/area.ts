import type { Area } from "../server/route.ts";
import { adsAccounts, appEventTags, appLists, conversions, engagements } from "../model/ads.ts";
import { assumed, type BehaviourRow, documented, stricter } from "../kernel/ledger.ts";
import { accountRoutes } from "./account-routes.ts";
import { controlRoutes } from "./control-routes.ts";
import { conversionRoutes } from "./conversion-routes.ts";

/** Advertising measurement: conversions and their attribution, event tags, app lists. */
export const ads: Area = {
  name: "ads",
  tables: [adsAccounts, appEventTags, appLists, engagements, conversions],
  routes: [...conversionRoutes, ...accountRoutes, ...controlRoutes],
  behaviours: [
    { behaviour: "cursor pagination", ...documented("Cursor pagination") },
    {
      behaviour: "with_total_count is limited to 200 requests in 15 minutes",
      ...documented("Limits", "The limit applies to each user."),
    },
    assumedThat("advertising requests are signed for a user", "No way is documented."),
    assumedThat("advertising error bodies and codes", "As in public guides of the live service."),
    assumedThat(
      "attribution prefers clicks to views, then the latest, within the windows",
      "The documentation names only windows and types. A window includes both its ends.",
    ),
    assumedThat(
      "if another network's engagement is preferred, the platform gets no attribution",
      "One conversion has one cause. Without a type, it has the type of the platform's best engagement.",
    ),
    assumedThat(
      "extra_device_ids are split at commas and count like hashed_device_id",
      "The documentation says that they are further hashed ids.",
    ),
    assumedThat(
      "tpn_attribution looks like platform_attribution",
      "Its fields are not documented.",
    ),
    assumedThat(
      "conversion_value_micro is price_micro, or 0",
      "The documentation gives only its type.",
    ),
    assumedThat(
      "partner_client_id is the id of the calling app",
      "The documentation gives only its type.",
    ),
    assumedThat("sort_by takes any field of the listed object", "The fields are not documented."),
    assumedThat(
      "last_tracked_at is when a conversion of the tag's app, system and type was last reported",
      "The documentation names only the field; null before the first report.",
    ),
    assumedThat(
      "lists are also served under version 5, with a warning header",
      "A guide of pagination uses version 5; all other versions give ROUTE_NOT_FOUND.",
    ),
    assumedThat(
      "rate limits of conversions, reads and writes",
      "60,000, 2,000 and 6,750 in 15 minutes.",
    ),
    {
      behaviour: "advertising parameters in a body are ignored, and repeated ones are refused",
      ...stricter("The documentation sends advertising parameters in the query."),
    },
  ],
};

function assumedThat(behaviour: string, note: string): BehaviourRow {
  return { behaviour, ...assumed(note) };
}
