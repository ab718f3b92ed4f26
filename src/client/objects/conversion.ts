import { z } from "zod";

const Nullable = z.string().nullish();

/** Attribution of a conversion to the platform's own advertising. */
export const PlatformAttribution = z.object({
  country_code: Nullable,
  engagement_time: z.string(),
  /** `CLICK`, `VIEW`, or a type that the platform adds. */
  engagement_type: z.string(),
  /** Kind of attribution. The platform's documentation names only `PROMOTED`. */
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
  conversion_type: z.string(),
  hashed_device_id: z.string(),
  os_type: z.string(),
  non_platform_engagement_type: Nullable,
  non_platform_engagement_time: Nullable,
  click_window: z.coerce.number().optional(),
  view_through_window: z.coerce.number().optional(),
  partner_client_id: Nullable,
  /** Attribution to the platform's advertising; null if there is none. */
  platform_attribution: PlatformAttribution.nullable(),
});

/** Response to recording a conversion. */
export const ConversionResult = Echo.extend({
  conversion_value_micro: z.number().nullish(),
  limit_ad_tracking: z.boolean().nullish(),
  event_metadata: z.record(z.string(), z.unknown()).nullish(),
  /** Attribution to the audience platform; missing if there is none. */
  tpn_attribution: z.record(z.string(), z.unknown()).nullish(),
});

/** Response to looking up an attribution. */
export const AttributionResult = Echo.extend({ extra_device_ids: z.unknown().optional() });

export type ConversionResult = z.infer<typeof ConversionResult>;
export type AttributionResult = z.infer<typeof AttributionResult>;
