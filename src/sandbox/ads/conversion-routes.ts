import type * as z from "zod";
import { ADS_VERSION } from "../../protocol/ads.ts";
import { appOf, userOf } from "../auth/caller.ts";
import type { RouteResponse, RouteCall } from "../server/route.ts";
import {
  conversionAttributionQuery,
  conversionEventQuery,
  attributedEngagement,
  recordConversion,
  type ReportedConversion,
} from "./conversions.ts";
import { adsRoute } from "./ads-route.ts";
import { readQuery } from "./query.ts";
import { renderClaims } from "./render.ts";

const limits = { user: 60_000 };

export const conversionRoutes = [
  adsRoute({ method: "POST", path: "/conversion_event", limits, handle: reportConversion }),
  adsRoute({ method: "GET", path: "/conversion_attribution", limits, handle: lookUpAttribution }),
];

function reportConversion(call: RouteCall): RouteResponse {
  const { values, sent } = readQuery(call, conversionEventQuery);
  const attributed = attributedEngagement(call.sandbox, values);
  recordConversion(call.sandbox, userOf(call.caller).id, values, attributed);
  return {
    body: {
      request: { params: { ...sent, version_number: ADS_VERSION } },
      data: {
        ...echo(values),
        conversion_value_micro: values.price_micro ?? 0,
        limit_ad_tracking: false,
        event_metadata: metadata(values),
        partner_client_id: appOf(call.caller).id,
        ...renderClaims(attributed),
      },
    },
  };
}

function lookUpAttribution(call: RouteCall): RouteResponse {
  const { values, typed } = readQuery(call, conversionAttributionQuery);
  const attributed = attributedEngagement(call.sandbox, values);
  return {
    body: {
      data_type: "conversion_attribution",
      request: { params: typed },
      data: {
        ...echo(values),
        extra_device_ids: values.extra_device_ids ?? null,
        partner_client_id: appOf(call.caller).id,
        ...renderClaims(attributed),
      },
    },
  };
}

/** Renders the parameters that `conversion_event` and `conversion_attribution` share, with their defaults. */
function echo(values: ReportedConversion): Record<string, unknown> {
  return {
    app_id: values.app_id,
    os_type: values.os_type,
    conversion_type: values.conversion_type,
    conversion_time: values.conversion_time,
    hashed_device_id: values.hashed_device_id,
    click_window: values.click_window,
    view_through_window: values.view_through_window,
    non_platform_engagement_type: values.non_platform_engagement_type ?? null,
    non_platform_engagement_time: values.non_platform_engagement_time ?? null,
  };
}

/** Returns details of the reported event that attribution does not use. */
function metadata(values: z.infer<typeof conversionEventQuery>): Record<string, unknown> | null {
  const { level, number_items, price_currency, price_micro, user_payment_info } = values;
  const all = { level, number_items, price_currency, price_micro, user_payment_info };
  const definedEntries = Object.entries(all).filter(([, value]) => value !== undefined);
  return definedEntries.length === 0 ? null : Object.fromEntries(definedEntries);
}
