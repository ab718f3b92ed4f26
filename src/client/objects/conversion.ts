import { z } from "zod";
import { CONVERSION_TYPES, ENGAGEMENT_TYPES, OS_TYPES } from "../../protocol/ads.ts";

const Nullable = z.string().nullish();

/** What of a conversion the platform's own advertising is credited with. */
export const PlatformAttribution = z.object({
  country_code: Nullable,
  engagement_time: z.string(),
  engagement_type: z.enum(ENGAGEMENT_TYPES),
  /** `PROMOTED` is the only value that the interface shows. */
  attribution_type: z.string(),
  promoted_properties: z.object({
    campaign_id: Nullable,
    line_item_id: Nullable,
    publisher_app_id: Nullable,
    account_id: Nullable,
    line_item_objective: Nullable,
    campaign_name: Nullable,
  }),
  post_id: Nullable,
});

const Echo = z.object({
  app_id: z.union([z.string(), z.number()]),
  conversion_time: z.string(),
  conversion_type: z.enum(CONVERSION_TYPES),
  hashed_device_id: z.string(),
  os_type: z.enum(OS_TYPES),
  non_platform_engagement_type: z.enum(ENGAGEMENT_TYPES).nullish(),
  non_platform_engagement_time: Nullable,
  click_window: z.coerce.number().optional(),
  view_through_window: z.coerce.number().optional(),
  partner_client_id: Nullable,
  /** Null when the conversion is not the platform's. */
  platform_attribution: PlatformAttribution.nullable(),
});

/** What recording a conversion answers. */
export const ConversionResult = Echo.extend({
  conversion_value_micro: z.number().nullish(),
  limit_ad_tracking: z.boolean().nullish(),
  event_metadata: z.record(z.string(), z.unknown()).nullish(),
  /** There only when the audience platform is credited. */
  tpn_attribution: z.record(z.string(), z.unknown()).nullish(),
});

/** What looking up an attribution answers. */
export const AttributionResult = Echo.extend({ extra_device_ids: z.unknown().optional() });

export type ConversionResult = z.infer<typeof ConversionResult>;
export type AttributionResult = z.infer<typeof AttributionResult>;
