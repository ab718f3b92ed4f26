import type { ConversionType, OsType } from "../../../protocol/ads.ts";
import { type AdsResult, adsResult } from "../../reading/ads-result.ts";
import { type AdsListParams, type AdsPage, adsPages } from "../../reading/ads-list.ts";

import type { CallOptions } from "../../http/api-caller.ts";
import type { Caller } from "../../http/caller.ts";
import { type Endpoints, SIGNED } from "../../http/endpoint.ts";
import { AppEventTag } from "../../objects/app-event-tag.ts";
import type { Paged } from "../../reading/paging.ts";
import type { ClickWindow, ViewWindow } from "./conversions.ts";

/** An app event tag to create: it assigns a kind of conversion to an event in an app. */
export interface NewAppEventTag {
  readonly accountId: string;
  readonly appStoreIdentifier: string;
  readonly conversionType: ConversionType;
  readonly osType: OsType;
  readonly providerAppEventId: string;
  readonly providerAppEventName: string;
  readonly deepLinkScheme?: string | undefined;
  /** Attribution window of clicks in days; default 30. */
  readonly postEngagementAttributionWindow?: ClickWindow | undefined;
  /** Attribution window of views in days; default 1. */
  readonly postViewAttributionWindow?: ViewWindow | undefined;
  /** Whether retargeting is allowed; default true. */
  readonly retargetingEnabled?: boolean | undefined;
}

/** Identifies an app event tag of an advertising account. */
export interface AppEventTagId {
  readonly accountId: string;
  readonly appEventTagId: string;
}

/** Parameters for listing an advertising account's app event tags. */
export interface AppEventTagListParams extends AdsListParams {
  readonly accountId: string;
  /** Ids of the tags to return, up to 200; default all. */
  readonly appEventTagIds?: readonly string[] | undefined;
}

/** App event tags: list, read, create, delete. */
export interface AppEventTagsMethods {
  /** Lists the app event tags of an advertising account. */
  list(
    params: AppEventTagListParams,
    options?: CallOptions,
  ): Paged<AppEventTag, AdsPage<AppEventTag>>;
  /** Returns an app event tag; a deleted tag only with `withDeleted`. */
  get(
    tag: AppEventTagId & { readonly withDeleted?: boolean | undefined },
    options?: CallOptions,
  ): Promise<AdsResult<AppEventTag>>;
  /** Creates an app event tag. */
  create(tag: NewAppEventTag, options?: CallOptions): Promise<AdsResult<AppEventTag>>;
  /** Deletes a tag and returns it, with `deleted` true. */
  delete(tag: AppEventTagId, options?: CallOptions): Promise<AdsResult<AppEventTag>>;
}

const LIST = "/accounts/:account_id/app_event_tags";
const ONE = `${LIST}/:app_event_tag_id` as const;

/** Endpoints of the app event tag methods. */
export const APP_EVENT_TAGS = {
  list: { method: "GET", path: LIST, takes: SIGNED, ads: true },
  get: { method: "GET", path: ONE, takes: SIGNED, ads: true },
  create: { method: "POST", path: LIST, takes: SIGNED, ads: true },
  delete: { method: "DELETE", path: ONE, takes: SIGNED, ads: true },
} as const satisfies Endpoints<AppEventTagsMethods>;

/** Creates the methods of app event tags, which send their requests through `caller`. */
export function appEventTags(caller: Caller): AppEventTagsMethods {
  const at = ({ accountId, appEventTagId }: AppEventTagId) => ({
    account_id: accountId,
    app_event_tag_id: appEventTagId,
  });
  return {
    list: ({ accountId, appEventTagIds, ...params }, options) => {
      const ids = { app_event_tag_ids: appEventTagIds };
      const endpoint = APP_EVENT_TAGS.list;
      return adsPages(caller, { endpoint, accountId, params, ids, item: AppEventTag }, options);
    },
    get: async ({ withDeleted, ...tag }, options) => {
      const input = { path: at(tag), query: { with_deleted: withDeleted } };
      return adsResult(await caller.call(APP_EVENT_TAGS.get, input, options), AppEventTag);
    },
    create: async (tag, options) => {
      const query = {
        app_store_identifier: tag.appStoreIdentifier,
        conversion_type: tag.conversionType,
        os_type: tag.osType,
        provider_app_event_id: tag.providerAppEventId,
        provider_app_event_name: tag.providerAppEventName,
        deep_link_scheme: tag.deepLinkScheme,
        post_engagement_attribution_window: tag.postEngagementAttributionWindow,
        post_view_attribution_window: tag.postViewAttributionWindow,
        retargeting_enabled: tag.retargetingEnabled,
      };
      const input = { path: { account_id: tag.accountId }, query };
      return adsResult(await caller.call(APP_EVENT_TAGS.create, input, options), AppEventTag);
    },
    delete: async (tag, options) =>
      adsResult(await caller.call(APP_EVENT_TAGS.delete, { path: at(tag) }, options), AppEventTag),
  };
}
