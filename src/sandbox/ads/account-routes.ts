import * as z from "zod";
import { userOf } from "../auth/caller.ts";
import type { RouteResponse, RouteCall } from "../server/route.ts";
import { adsAccounts, appEventTags, appLists } from "../model/ads.ts";
import { adsError } from "./ads-error.ts";
import { appListAttribute, appListsQuery, findAppList } from "./app-lists.ts";
import { adsRoute } from "./ads-route.ts";
import { listPage } from "./listing.ts";
import { flag, pathParams, readQuery } from "./query.ts";
import { renderAppList, renderAppListRow, renderNewTag, renderTag } from "./render.ts";
import { createTag, deleteTag, findTag, newTagQuery, tagAttribute, tagsQuery } from "./tags.ts";

const reads = { user: 2000 };
/** 450 requests a minute, counted in the platform's windows of 15 minutes. */
const writes = { user: 6750 };

/** Older versions of the interface that lists accept, too: the documentation of cursor pagination uses version 5. */
const older = ["5"];

const TAGS = "/accounts/:account_id/app_event_tags";
const LISTS = "/accounts/:account_id/app_lists";

export const accountRoutes = [
  adsRoute({ method: "GET", path: TAGS, limits: reads, olderVersions: older, handle: listTags }),
  adsRoute({
    method: "GET",
    path: `${TAGS}/:app_event_tag_id`,
    limits: reads,
    handle: (call) => {
      const accountId = accountOf(call);
      const { values, typed } = readQuery(call, oneQuery);
      const tag = findTag(call, accountId, "app_event_tag_id", values.with_deleted);
      return { body: { request: { params: typed }, data: renderTag(tag) } };
    },
  }),
  adsRoute({
    method: "POST",
    path: TAGS,
    limits: writes,
    handle: (call) => {
      const accountId = accountOf(call);
      const { values, typed } = readQuery(call, newTagQuery);
      const tag = createTag(call.sandbox, accountId, values);
      return { body: { data: renderNewTag(tag), request: { params: typed } } };
    },
  }),
  adsRoute({
    method: "DELETE",
    path: `${TAGS}/:id`,
    limits: writes,
    handle: (call) => {
      const tag = deleteTag(call.sandbox, findTag(call, accountOf(call), "id"));
      return { body: { data: renderTag(tag), request: { params: pathParams(call) } } };
    },
  }),
  adsRoute({
    method: "GET",
    path: LISTS,
    limits: reads,
    olderVersions: older,
    handle: listAppLists,
  }),
  adsRoute({
    method: "GET",
    path: `${LISTS}/:app_list_id`,
    note: "The answer's shape is assumed.",
    limits: reads,
    handle: (call) => {
      const accountId = accountOf(call);
      const { values, typed } = readQuery(call, oneQuery);
      const appList = findAppList(call, accountId, values.with_deleted);
      return { body: { request: { params: typed }, data: renderAppList(appList) } };
    },
  }),
];

const oneQuery = z.object({ with_deleted: flag.default(false) });

function listTags(call: RouteCall): RouteResponse {
  const accountId = accountOf(call);
  const { values, ...params } = readQuery(call, tagsQuery);
  return listPage(call, { ...values, ids: values.app_event_tag_ids }, params, {
    rows: appEventTags.in(call.sandbox.world).where("account", accountId),
    attribute: tagAttribute,
    render: renderTag,
  });
}

function listAppLists(call: RouteCall): RouteResponse {
  const accountId = accountOf(call);
  const { values, ...params } = readQuery(call, appListsQuery);
  return listPage(call, { ...values, ids: values.app_list_ids }, params, {
    rows: appLists.in(call.sandbox.world).where("account", accountId),
    attribute: appListAttribute,
    render: renderAppListRow,
  });
}

/**
 * Finds the account of the path, which must be associated with the authenticated user.
 *
 * @returns the account's id.
 * @throws {ApiError} 403 if the account is missing or belongs to another user, with the same error for both.
 */
function accountOf(call: RouteCall): string {
  const value = call.params["account_id"] ?? "";
  const account = adsAccounts.in(call.sandbox.world).get(value);
  if (account !== undefined && account.userId === userOf(call.caller).id) return account.id;
  const message = `The account ${value} is not associated with the authenticated user.`;
  const error = { code: "ACCOUNT_NOT_FOUND", message, parameter: "account_id", value };
  throw adsError(403, [error], pathParams(call));
}
