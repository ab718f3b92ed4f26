import * as z from "zod";
import { CONVERSION_TYPES, ENGAGEMENT_TYPES, OS_TYPES } from "../../protocol/ads.ts";
import { instant } from "../kernel/world/columns.ts";
import { defineTable } from "../kernel/world/table.ts";

/** Advertising accounts and their users. */
export const adsAccounts = defineTable({
  name: "ads_accounts",
  schema: z.strictObject({
    id: z.string(),
    name: z.string(),
    userId: z.string(),
    createdAt: instant,
  }),
  key: (row) => row.id,
  indexes: { user: (row) => row.userId },
});

const tagSchema = z.strictObject({
  id: z.string(),
  accountId: z.string(),
  appStoreIdentifier: z.string(),
  osType: z.enum(OS_TYPES),
  conversionType: z.enum(CONVERSION_TYPES),
  providerAppEventId: z.string(),
  providerAppEventName: z.string(),
  deepLinkScheme: z.string().nullable(),
  /** Days after an engagement within which a conversion is attributed to it. */
  postEngagementWindow: z.number(),
  /** Days after a view within which a conversion is attributed to it. */
  postViewWindow: z.number(),
  retargetingEnabled: z.boolean(),
  status: z.string(),
  lastTrackedAt: z.number().nullable(),
  createdAt: instant,
  updatedAt: instant,
  deleted: z.boolean(),
});

/** A tag: a measurement partner's name for a conversion event of an app. Deleted tags stay, marked as deleted. */
export type AppEventTagRow = z.infer<typeof tagSchema>;

export const appEventTags = defineTable({
  name: "ads_app_event_tags",
  schema: tagSchema,
  key: (row) => row.id,
  indexes: {
    account: (row) => row.accountId,
    event: (row) => tagEventKey(row.appStoreIdentifier, row.osType, row.conversionType),
  },
});

/** Returns the index key by which the tags of an app's conversion event are found. */
export function tagEventKey(app: string, os: string, conversion: string): string {
  return `${os}:${conversion}:${app}`;
}

const appListSchema = z.strictObject({
  id: z.string(),
  accountId: z.string(),
  name: z.string(),
  appStoreIdentifiers: z.array(z.string()),
  createdAt: instant,
  updatedAt: instant,
  deleted: z.boolean(),
});

export type AppListRow = z.infer<typeof appListSchema>;

export const appLists = defineTable({
  name: "ads_app_lists",
  schema: appListSchema,
  key: (row) => row.id,
  indexes: { account: (row) => row.accountId },
});

/** Places that show advertisements: the platform, and its audience network. */
export const NETWORKS = ["platform", "audience"] as const;

const engagementSchema = z.strictObject({
  id: z.string(),
  accountId: z.string(),
  hashedDeviceId: z.string(),
  type: z.enum(ENGAGEMENT_TYPES),
  at: instant,
  appStoreIdentifier: z.string(),
  network: z.enum(NETWORKS),
  postId: z.string().nullable(),
  countryCode: z.string().nullable(),
  campaignId: z.string().nullable(),
  campaignName: z.string().nullable(),
  lineItemId: z.string().nullable(),
  lineItemObjective: z.string().nullable(),
  publisherAppId: z.string().nullable(),
});

/** A view or a click of an advertisement for an app. */
export type EngagementRow = z.infer<typeof engagementSchema>;

export const engagements = defineTable({
  name: "ads_engagements",
  schema: engagementSchema,
  key: (row) => row.id,
  indexes: { device: (row) => deviceKey(row.appStoreIdentifier, row.hashedDeviceId) },
});

/** Returns the index key of a device's engagements with an app's advertisements. */
export function deviceKey(app: string, hashedDeviceId: string): string {
  return `${hashedDeviceId}:${app}`;
}

/** Reported conversion events, with the engagement that each was attributed to. */
export const conversions = defineTable({
  name: "ads_conversions",
  schema: z.strictObject({
    id: z.string(),
    reportedBy: z.string(),
    reportedAt: instant,
    appId: z.string(),
    osType: z.enum(OS_TYPES),
    conversionType: z.enum(CONVERSION_TYPES),
    conversionTime: z.string(),
    hashedDeviceId: z.string(),
    engagementId: z.string().nullable(),
  }),
  key: (row) => row.id,
  indexes: {},
});

/** Returns an id in base 36, as the advertising interface writes it. */
export function adsId(id: string): string {
  return BigInt(id).toString(36);
}
