import * as z from "zod";
import {
  CLICK_WINDOWS,
  CONVERSION_TYPES,
  ENGAGEMENT_TYPES,
  OS_TYPES,
  VIEW_WINDOWS,
} from "../../protocol/ads.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import {
  appEventTags,
  conversions,
  deviceKey,
  type EngagementRow,
  engagements,
  tagEventKey,
} from "../model/ads.ts";
import { attribute } from "./attribution.ts";
import { days, flag, instant, instantWithMillis, oneOf, text, whole } from "./query.ts";

const reported = {
  app_id: text,
  conversion_time: instantWithMillis,
  conversion_type: oneOf(CONVERSION_TYPES),
  hashed_device_id: text,
  os_type: oneOf(OS_TYPES),
  click_window: days(CLICK_WINDOWS).default(14),
  view_through_window: days(VIEW_WINDOWS).default(1),
  non_platform_engagement_time: instant.optional(),
  non_platform_engagement_type: oneOf(ENGAGEMENT_TYPES).optional(),
};

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/** Parameters of `conversion_event`. */
export const conversionEventQuery = z
  .object({
    ...reported,
    device_ip_address: z
      .union([z.ipv4(), z.ipv6()], { error: "an IPv4 or IPv6 address" })
      .optional(),
    level: whole().optional(),
    number_items: whole().optional(),
    price_currency: z
      .string()
      .refine((currencyCode) => CURRENCIES.has(currencyCode), {
        error: "an ISO 4217 code such as EUR",
      })
      .optional(),
    price_micro: whole().optional(),
    user_payment_info: flag.optional(),
  })
  .check(({ value, issues }) => {
    if (value.view_through_window <= value.click_window) return;
    issues.push({
      code: "custom",
      path: ["view_through_window"],
      input: value.view_through_window,
      message: `a view_through_window of at most click_window (${value.click_window} days)`,
    });
  });

/** Parameters of `conversion_attribution`. */
export const conversionAttributionQuery = z.object({
  ...reported,
  extra_device_ids: text.optional(),
});

/** Parameters shared by `conversion_event` and `conversion_attribution`, and `extra_device_ids` of the latter. */
export type ReportedConversion = Omit<
  z.infer<typeof conversionAttributionQuery>,
  "extra_device_ids"
> & {
  readonly extra_device_ids?: string | undefined;
};

/** Returns the engagement that a conversion is attributed to; see {@link attribute}. */
export function attributedEngagement(
  { world }: Sandbox,
  reportedConversion: ReportedConversion,
): EngagementRow | undefined {
  const devices = new Set([
    reportedConversion.hashed_device_id,
    ...(reportedConversion.extra_device_ids ?? "").split(",").map((id) => id.trim()),
  ]);
  const deviceEngagements = [...devices].flatMap((device) =>
    engagements.in(world).where("device", deviceKey(reportedConversion.app_id, device)),
  );
  const { non_platform_engagement_time: time, non_platform_engagement_type: type } =
    reportedConversion;
  return attribute(
    {
      at: Date.parse(reportedConversion.conversion_time),
      clickDays: reportedConversion.click_window,
      viewDays: reportedConversion.view_through_window,
      ...(time === undefined ? {} : { otherNetwork: { at: Date.parse(time), type } }),
    },
    deviceEngagements,
  );
}

/** Stores a reported conversion, and sets `lastTrackedAt` of the tags for the same event to now. */
export function recordConversion(
  sandbox: Sandbox,
  reportedBy: string,
  reportedConversion: ReportedConversion,
  attributed: EngagementRow | undefined,
): void {
  const { world } = sandbox;
  const now = sandbox.time.now();
  conversions.in(world).put({
    id: world.ids.next(),
    reportedBy,
    reportedAt: now,
    appId: reportedConversion.app_id,
    osType: reportedConversion.os_type,
    conversionType: reportedConversion.conversion_type,
    conversionTime: reportedConversion.conversion_time,
    hashedDeviceId: reportedConversion.hashed_device_id,
    engagementId: attributed?.id ?? null,
  });
  const tags = appEventTags.in(world);
  const key = tagEventKey(
    reportedConversion.app_id,
    reportedConversion.os_type,
    reportedConversion.conversion_type,
  );
  for (const tag of tags.where("event", key)) {
    if (!tag.deleted) tags.update(tag.id, { lastTrackedAt: now });
  }
}
