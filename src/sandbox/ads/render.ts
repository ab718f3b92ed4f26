import type { AppEventTagRow, AppListRow, EngagementRow } from "../model/ads.ts";

/** Formats a time of a tag or list: ISO 8601 without milliseconds. */
function seconds(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** Renders a tag for the response to its creation. */
export function renderNewTag(tag: AppEventTagRow): Record<string, unknown> {
  return {
    id: tag.id,
    app_store_identifier: tag.appStoreIdentifier,
    os_type: tag.osType,
    conversion_type: tag.conversionType,
    provider_app_event_id: tag.providerAppEventId,
    provider_app_event_name: tag.providerAppEventName,
    deep_link_scheme: tag.deepLinkScheme,
    post_engagement_attribution_window: tag.postEngagementWindow,
    post_view_attribution_window: tag.postViewWindow,
    retargeting_enabled: tag.retargetingEnabled,
    created_at: seconds(tag.createdAt),
    updated_at: seconds(tag.updatedAt),
    deleted: tag.deleted,
  };
}

/** Renders a tag for responses that read, list or delete it. */
export function renderTag(tag: AppEventTagRow): Record<string, unknown> {
  const { status, lastTrackedAt } = tag;
  return {
    ...renderNewTag(tag),
    status,
    last_tracked_at: lastTrackedAt === null ? null : seconds(lastTrackedAt),
  };
}

/** Renders a list as an item of a listing. */
export function renderAppListRow({ id, name }: AppListRow): Record<string, unknown> {
  return { id, name };
}

/** Renders a single list. The shape is assumed: the interface has no example. */
export function renderAppList(list: AppListRow): Record<string, unknown> {
  return {
    id: list.id,
    name: list.name,
    created_at: seconds(list.createdAt),
    updated_at: seconds(list.updatedAt),
    deleted: list.deleted,
    apps: list.appStoreIdentifiers.map((identifier) => ({
      app_store_identifier: identifier,
      os_type: /^\d+$/.test(identifier) ? "IOS" : "ANDROID",
    })),
  };
}

/** Renders the two attribution fields of a conversion response, of which at most one has a value. */
export function renderClaims(attributed: EngagementRow | undefined): Record<string, unknown> {
  const attribution = attributed === undefined ? null : renderAttribution(attributed);
  if (attributed?.network !== "audience") return { platform_attribution: attribution };
  return { tpn_attribution: attribution, platform_attribution: null };
}

function renderAttribution(engagement: EngagementRow): Record<string, unknown> {
  return {
    country_code: engagement.countryCode,
    engagement_time: new Date(engagement.at).toISOString(),
    engagement_type: engagement.type,
    attribution_type: "PROMOTED",
    promoted_properties: {
      campaign_id: engagement.campaignId,
      line_item_id: engagement.lineItemId,
      publisher_app_id: engagement.publisherAppId,
      account_id: engagement.accountId,
      line_item_objective: engagement.lineItemObjective,
      campaign_name: engagement.campaignName,
    },
    post_id: engagement.postId,
  };
}
