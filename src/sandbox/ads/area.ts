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
      behaviour: "with_total_count has a budget of 200 requests in 15 minutes",
      ...documented("Limits", "Counted per user."),
    },
    assumedThat("advertising requests are signed for a user", "The interface shows no scheme."),
    assumedThat("advertising error bodies and codes", "Those of public guides."),
    assumedThat(
      "click before view, then the latest, inside the windows around conversion_time",
      "The interface names windows and types only. Both ends of a window count.",
    ),
    assumedThat(
      "a non-platform engagement that wins the same comparison takes the claim away",
      "One conversion has one cause. Without a type it counts as the kind of the platform's best.",
    ),
    assumedThat(
      "extra_device_ids are split at commas and count like hashed_device_id",
      "The interface says that they are further hashed ids.",
    ),
    assumedThat("tpn_attribution looks like platform_attribution", "Its shape is not shown."),
    assumedThat(
      "conversion_value_micro is price_micro, or 0",
      "The interface gives its type only.",
    ),
    assumedThat(
      "partner_client_id is the id of the calling app",
      "The interface gives its type only.",
    ),
    assumedThat("sort_by takes any field of the listed object", "The attributes are not shown."),
    assumedThat(
      "last_tracked_at is when a conversion of the tag's app, system and type was last reported",
      "The interface names the field only; null until then.",
    ),
    assumedThat(
      "lists also answer under version 5, with a warning header",
      "A description of pagination uses it; every other version is ROUTE_NOT_FOUND.",
    ),
    assumedThat(
      "budgets of conversions, reads and writes",
      "60,000, 2,000 and 6,750 in 15 minutes.",
    ),
    {
      behaviour: "advertising parameters in a body are not read, and one given twice is refused",
      ...stricter("The interface sends them in the query."),
    },
  ],
};

function assumedThat(behaviour: string, note: string): BehaviourRow {
  return { behaviour, ...assumed(note) };
}
