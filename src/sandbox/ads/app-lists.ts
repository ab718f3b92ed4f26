import * as z from "zod";
import { ADS_IDS_PER_REQUEST } from "../../protocol/limits.ts";
import type { RouteCall } from "../server/route.ts";
import { type AppListRow, appLists } from "../model/ads.ts";
import { pagingQuery, refuseCountWithCursor } from "./listing.ts";
import { idList, pathParams } from "./query.ts";
import { adsNotFound } from "./ads-error.ts";

export const appListsQuery = z
  .object({
    app_list_ids: idList(ADS_IDS_PER_REQUEST).optional(),
    ...pagingQuery(["id", "name", "created_at", "updated_at", "deleted"]),
  })
  .check(refuseCountWithCursor);

/**
 * Finds an app list of an account, deleted lists only if `withDeleted` is true.
 *
 * @throws {ApiError} 404 if there is none.
 */
export function findAppList(call: RouteCall, accountId: string, withDeleted: boolean): AppListRow {
  const list = appLists.in(call.sandbox.world).get(call.params["app_list_id"] ?? "");
  if (list?.accountId === accountId && (withDeleted || !list.deleted)) return list;
  throw adsNotFound("NOT_FOUND", "app list", "app_list_id", pathParams(call));
}

/** Returns the value of an attribute of an app list, by which `sort_by` sorts. */
export function appListAttribute(list: AppListRow, name: string): string | number | boolean {
  switch (name) {
    case "name":
      return list.name;
    case "created_at":
      return list.createdAt;
    case "updated_at":
      return list.updatedAt;
    case "deleted":
      return list.deleted;
    default:
      return list.id;
  }
}
