import * as z from "zod";
import { CLICK_WINDOWS, CONVERSION_TYPES, OS_TYPES, VIEW_WINDOWS } from "../../protocol/ads.ts";
import { ADS_IDS_PER_REQUEST } from "../../protocol/limits.ts";
import type { RouteCall } from "../server/route.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { adsId, type AppEventTagRow, appEventTags } from "../model/ads.ts";
import { pagingQuery, refuseCountWithCursor } from "./listing.ts";
import { days, flag, idList, oneOf, pathParams, text } from "./query.ts";
import { adsNotFound } from "./ads-error.ts";
import { renderTag } from "./render.ts";

export const newTagQuery = z.object({
  app_store_identifier: text,
  conversion_type: oneOf(CONVERSION_TYPES),
  os_type: oneOf(OS_TYPES),
  provider_app_event_id: text,
  provider_app_event_name: text,
  deep_link_scheme: text.optional(),
  post_engagement_attribution_window: days(CLICK_WINDOWS).default(30),
  post_view_attribution_window: days(VIEW_WINDOWS).default(1),
  retargeting_enabled: flag.default(true),
});

/** Names allowed in `sort_by`. Sorting by `assisted_conversion` changes nothing, since tags do not have this value. */
const ATTRIBUTES = [
  "id",
  "app_store_identifier",
  "os_type",
  "conversion_type",
  "provider_app_event_id",
  "provider_app_event_name",
  "deep_link_scheme",
  "post_engagement_attribution_window",
  "post_view_attribution_window",
  "retargeting_enabled",
  "status",
  "last_tracked_at",
  "created_at",
  "updated_at",
  "deleted",
  "assisted_conversion",
];

export const tagsQuery = z
  .object({
    app_event_tag_ids: idList(ADS_IDS_PER_REQUEST).optional(),
    ...pagingQuery(ATTRIBUTES),
  })
  .check(refuseCountWithCursor);

export function createTag(
  { world, time }: Sandbox,
  accountId: string,
  input: z.infer<typeof newTagQuery>,
): AppEventTagRow {
  const now = time.now();
  return appEventTags.in(world).put({
    id: adsId(world.ids.next()),
    accountId,
    appStoreIdentifier: input.app_store_identifier,
    osType: input.os_type,
    conversionType: input.conversion_type,
    providerAppEventId: input.provider_app_event_id,
    providerAppEventName: input.provider_app_event_name,
    deepLinkScheme: input.deep_link_scheme ?? null,
    postEngagementWindow: input.post_engagement_attribution_window,
    postViewWindow: input.post_view_attribution_window,
    retargetingEnabled: input.retargeting_enabled,
    status: "TRACKING",
    lastTrackedAt: null,
    createdAt: now,
    updatedAt: now,
    deleted: false,
  });
}

/**
 * Finds a tag of the account by a path parameter, deleted tags only if `withDeleted` is true.
 *
 * @param parameter Name of the path parameter with the tag's id.
 * @throws {ApiError} 404 if the account has no such tag.
 */
export function findTag(
  call: RouteCall,
  accountId: string,
  parameter: string,
  withDeleted = false,
): AppEventTagRow {
  const tag = appEventTags.in(call.sandbox.world).get(call.params[parameter] ?? "");
  if (tag?.accountId === accountId && (withDeleted || !tag.deleted)) return tag;
  throw adsNotFound("APP_EVENT_TAG_NOT_FOUND", "app event tag", parameter, pathParams(call));
}

export function deleteTag({ world, time }: Sandbox, tag: AppEventTagRow): AppEventTagRow {
  return appEventTags.in(world).put({ ...tag, deleted: true, updatedAt: time.now() });
}

/** Returns the value of an attribute of a tag, by which `sort_by` sorts. */
export function tagAttribute(tag: AppEventTagRow, name: string): string | number | boolean | null {
  if (name === "created_at") return tag.createdAt;
  if (name === "updated_at") return tag.updatedAt;
  if (name === "last_tracked_at") return tag.lastTrackedAt;
  const value = renderTag(tag)[name];
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? value
    : null;
}
