import { type AdsResult, adsResult } from "../../reading/ads-result.ts";
import { type AdsListParams, type AdsPage, adsPages } from "../../reading/ads-list.ts";
import type { CallOptions } from "../../http/api-caller.ts";
import type { Caller } from "../../http/caller.ts";
import { type Endpoints, SIGNED } from "../../http/endpoint.ts";
import { AppList } from "../../objects/app-event-tag.ts";
import type { Paged } from "../../reading/paging.ts";

/** Identifies an app list of an advertising account. */
export interface AppListId {
  readonly accountId: string;
  readonly appListId: string;
  /** Whether to return the app list even if it is deleted. */
  readonly withDeleted?: boolean | undefined;
}

/** Parameters for listing an advertising account's app lists. */
export interface AppListListParams extends AdsListParams {
  readonly accountId: string;
  /** Ids of the app lists to return, up to 200; default all. */
  readonly appListIds?: readonly string[] | undefined;
}

/** App lists (named lists of mobile apps): list and read. */
export interface AppListsMethods {
  /** Lists the app lists of an advertising account. */
  list(params: AppListListParams, options?: CallOptions): Paged<AppList, AdsPage<AppList>>;
  /** Returns an app list with its apps. */
  get(list: AppListId, options?: CallOptions): Promise<AdsResult<AppList>>;
}

const LIST = "/accounts/:account_id/app_lists";

/** Endpoints of the app list methods. */
export const APP_LISTS = {
  list: { method: "GET", path: LIST, takes: SIGNED, ads: true },
  get: { method: "GET", path: `${LIST}/:app_list_id`, takes: SIGNED, ads: true },
} as const satisfies Endpoints<AppListsMethods>;

/** Creates the methods of app lists, which send their requests through `caller`. */
export function appLists(caller: Caller): AppListsMethods {
  return {
    list: ({ accountId, appListIds, ...params }, options) => {
      const ids = { app_list_ids: appListIds };
      const endpoint = APP_LISTS.list;
      return adsPages(caller, { endpoint, accountId, params, ids, item: AppList }, options);
    },
    get: async ({ accountId, appListId, withDeleted }, options) => {
      const path = { account_id: accountId, app_list_id: appListId };
      const input = { path, query: { with_deleted: withDeleted } };
      return adsResult(await caller.call(APP_LISTS.get, input, options), AppList);
    },
  };
}
