import * as z from "zod";
import { ADS_IDS_PER_REQUEST } from "../../interface/limits.ts";
import type { Call } from "../kernel/route.ts";
import { type AppList, appLists } from "./entities.ts";
import { pagingQuery, refuseCountWithCursor } from "./listing.ts";
import { idList, pathParams } from "./query.ts";
import { adsNotFound } from "./refusal.ts";

export const appListsQuery = z
  .object({
    app_list_ids: idList(ADS_IDS_PER_REQUEST).optional(),
    ...pagingQuery(["id", "name", "created_at", "updated_at", "deleted"]),
  })
  .check(refuseCountWithCursor);

/** @throws {Refusal} 404 for a list of another account, and for a deleted one unless asked for. */
export function findAppList(call: Call, accountId: string, withDeleted: boolean): AppList {
  const list = appLists.in(call.sandbox.world).get(call.params["app_list_id"] ?? "");
  if (list?.accountId === accountId && (withDeleted || !list.deleted)) return list;
  throw adsNotFound("NOT_FOUND", "app list", "app_list_id", pathParams(call));
}

/** Reads an attribute that `sort_by` names. */
export function appListAttribute(list: AppList, name: string): string | number | boolean {
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
