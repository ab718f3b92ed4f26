import * as z from "zod";
import { ENGAGEMENT_TYPES } from "../../protocol/ads.ts";
import { findUser } from "../model/accounts.ts";
import { controlInput, ownRoute } from "../server/control-input.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { RouteResponse, RouteCall, Route } from "../server/route.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import {
  adsAccounts,
  adsId,
  appEventTags,
  appLists,
  conversions,
  deviceKey,
  engagements,
  NETWORKS,
} from "../model/ads.ts";
import { weigh } from "./attribution.ts";
import { renderTag } from "./render.ts";

/** Maximum number of app lists of an account. */
const MAX_LISTS = 100;
/** Maximum number of apps of an app list. */
const MAX_APPS = 500;

const id = z.string().min(1);

export const engagementInput = z.strictObject({
  account_id: id,
  hashed_device_id: id,
  type: z.enum(ENGAGEMENT_TYPES),
  time: z.iso.datetime({ offset: true }),
  app_store_identifier: z.union([id, z.int().transform(String)]),
  network: z.enum(NETWORKS).default("platform"),
  post_id: id.nullable().default(null),
  country_code: z
    .string()
    .regex(/^[A-Z]{2}$/, "write two capital letters")
    .nullable()
    .default(null),
  campaign_id: id.nullable().default(null),
  campaign_name: id.nullable().default(null),
  line_item_id: id.nullable().default(null),
  line_item_objective: id.nullable().default(null),
  publisher_app_id: id.nullable().default(null),
});

const appListInput = z.strictObject({
  account_id: id,
  name: id,
  app_store_identifiers: z.array(id).min(1).max(MAX_APPS),
});

/** Control endpoints that create advertisers' accounts, people's engagements and app lists, and show all records. */
export const controlRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/_sandbox/ads",
    ...ownRoute("what there is in advertising measurement."),
    handle: ({ sandbox: { world } }) => ({
      body: {
        accounts: latest(adsAccounts.in(world).all()),
        engagements: latest(engagements.in(world).all()),
        conversions: latest(conversions.in(world).all()),
        event_tags: latest(appEventTags.in(world).all()),
        app_lists: latest(appLists.in(world).all()),
      },
    }),
  },
  {
    method: "GET",
    path: "/_sandbox/ads/attribution",
    ...ownRoute("why an engagement would have a conversion, and why others would not."),
    handle: weighEngagements,
  },
  {
    method: "POST",
    path: "/_sandbox/ads/accounts",
    ...ownRoute("stands for the advertising account's settings."),
    handle: createAccount,
  },
  {
    method: "POST",
    path: "/_sandbox/ads/engagements",
    ...ownRoute("stands for people who see and click advertisements."),
    handle: recordEngagement,
  },
  {
    method: "POST",
    path: "/_sandbox/ads/app_lists",
    ...ownRoute("stands for the advertiser's own tools."),
    handle: createAppList,
  },
  {
    method: "DELETE",
    path: "/_sandbox/ads/app_lists/:id",
    ...ownRoute("stands for the advertiser's own tools."),
    handle: deleteAppList,
  },
  {
    method: "PATCH",
    path: "/_sandbox/ads/app_event_tags/:id",
    ...ownRoute("status of a tag; its transitions are not shown."),
    handle: changeTag,
  },
];

/** Maximum number of rows of each kind, such as tags or conversions, in a response. */
const MAX_SHOWN_ROWS = 500;

function latest<Row>(rows: Iterable<Row>): readonly Row[] {
  return [...rows].slice(-MAX_SHOWN_ROWS);
}

const weighInput = z.strictObject({
  hashed_device_id: id,
  app_store_identifier: id,
  /** Time of the conversion. */
  time: z.iso.datetime({ offset: true }),
  click_window: z.coerce.number().min(0).max(30),
  view_through_window: z.coerce.number().min(0).max(30),
});

function weighEngagements({ sandbox, query }: RouteCall): RouteResponse {
  const read = weighInput.safeParse(Object.fromEntries(query));
  if (!read.success) {
    throw ApiError.control(400, "invalid_request", z.prettifyError(read.error));
  }
  const { hashed_device_id: device, app_store_identifier: app, time, ...windows } = read.data;
  const weighed = weigh(
    {
      at: Date.parse(time),
      clickDays: windows.click_window,
      viewDays: windows.view_through_window,
    },
    engagements.in(sandbox.world).where("device", deviceKey(app, device)),
  );
  return {
    body: {
      engagements: weighed.map(({ engagement, countsUntil, isWinner, why }) => ({
        ...engagement,
        counts_until: countsUntil ?? null,
        wins: isWinner,
        why,
      })),
    },
  };
}

function createAccount(call: RouteCall): RouteResponse {
  const { user_id: userId, name } = controlInput(call, z.strictObject({ user_id: id, name: id }));
  const { world, time } = call.sandbox;
  const user = findUser(call.sandbox, userId);
  const account = { id: adsId(world.ids.next()), name, userId: user.id, createdAt: time.now() };
  return { body: { account_id: adsAccounts.in(world).put(account).id } };
}

function recordEngagement(call: RouteCall): RouteResponse {
  const input = controlInput(call, engagementInput);
  const { world } = call.sandbox;
  const newEngagement = engagements.in(world).put({
    id: adsId(world.ids.next()),
    accountId: existingAccount(call.sandbox, input.account_id),
    hashedDeviceId: input.hashed_device_id,
    type: input.type,
    at: Date.parse(input.time),
    appStoreIdentifier: input.app_store_identifier,
    network: input.network,
    postId: input.post_id,
    countryCode: input.country_code,
    campaignId: input.campaign_id,
    campaignName: input.campaign_name,
    lineItemId: input.line_item_id,
    lineItemObjective: input.line_item_objective,
    publisherAppId: input.publisher_app_id,
  });
  return { body: { id: newEngagement.id } };
}

function createAppList(call: RouteCall): RouteResponse {
  const input = controlInput(call, appListInput);
  const { world, time } = call.sandbox;
  const accountId = existingAccount(call.sandbox, input.account_id);
  const existing = appLists.in(world).where("account", accountId);
  if (existing.filter((list) => !list.deleted).length >= MAX_LISTS) {
    throw ApiError.control(
      400,
      "too_many_lists",
      `An account holds at most ${MAX_LISTS} app lists.`,
    );
  }
  const now = time.now();
  const appList = appLists.in(world).put({
    id: adsId(world.ids.next()),
    accountId,
    name: input.name,
    appStoreIdentifiers: input.app_store_identifiers,
    createdAt: now,
    updatedAt: now,
    deleted: false,
  });
  return { body: { id: appList.id } };
}

function deleteAppList({ sandbox, params }: RouteCall): RouteResponse {
  const patch = { deleted: true, updatedAt: sandbox.time.now() };
  const list = appLists.in(sandbox.world).update(params["id"] ?? "", patch);
  if (list === undefined) throw missing("unknown_app_list", "app list", params["id"]);
  return { body: { id: list.id, deleted: true } };
}

function changeTag(call: RouteCall): RouteResponse {
  const status = z.string().regex(/^[A-Z_]+$/, "write capitals and _, such as TRACKING");
  const patch = controlInput(call, z.strictObject({ status }));
  const { world, time } = call.sandbox;
  const tag = appEventTags
    .in(world)
    .update(call.params["id"] ?? "", { ...patch, updatedAt: time.now() });
  if (tag === undefined) throw missing("unknown_app_event_tag", "app event tag", call.params["id"]);
  return { body: renderTag(tag) };
}

function existingAccount({ world }: Sandbox, accountId: string): string {
  if (adsAccounts.in(world).get(accountId) !== undefined) return accountId;
  const message = `account_id: there is no advertising account ${accountId}.`;
  throw ApiError.control(400, "unknown_account", message);
}

function missing(code: string, what: string, objectId = ""): ApiError {
  return ApiError.control(404, code, `There is no ${what} ${objectId}.`);
}
