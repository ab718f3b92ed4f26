import * as z from "zod";
import {
  CLICK_WINDOWS,
  CONVERSION_TYPES,
  ENGAGEMENT_TYPES,
  OS_TYPES,
  VIEW_WINDOWS,
} from "../protocol/ads.ts";
import type { ActionResult, ResultFields } from "./action-result.ts";

const WITH_MILLISECONDS = "a time with milliseconds, such as 2026-03-01T09:00:00.000Z";

/** Parameters that identify a conversion, with their names in the platform's measurement interface. */
export const conversionKey = z.strictObject({
  app_id: z.string().min(1).describe("App store identifier."),
  conversion_type: z.enum(CONVERSION_TYPES),
  conversion_time: z.iso
    .datetime({ offset: true, precision: 3, error: WITH_MILLISECONDS })
    .describe("Time of the conversion, with milliseconds."),
  os_type: z.enum(OS_TYPES),
  hashed_device_id: z
    .string()
    .min(1)
    .describe("HMAC-SHA-256 of the device's advertising identifier."),
  click_window: z.literal(CLICK_WINDOWS).exactOptional().describe("Days; 14 by default."),
  view_through_window: z.literal(VIEW_WINDOWS).exactOptional().describe("Days; 1 by default."),
  non_platform_engagement_time: z.iso.datetime({ offset: true }).exactOptional(),
  non_platform_engagement_type: z.enum(ENGAGEMENT_TYPES).exactOptional(),
});

/** Parameters of the look-up of a conversion's attribution. */
export const attributionParameters = conversionKey.extend({
  extra_device_ids: z.string().min(1).exactOptional(),
});

/** A conversion whose attribution is looked up. */
export type AttributionParameters = z.infer<typeof attributionParameters>;

/** Fields that the results of reporting a conversion and of looking up its attribution have in common. */
const fields: ResultFields = {
  app_id: "text",
  conversion_type: "text",
  conversion_time: "text",
  os_type: "text",
  hashed_device_id: "text",
  click_window: "number",
  view_through_window: "number",
  non_platform_engagement_time: "text",
  non_platform_engagement_type: "text",
  partner_client_id: "text",
  platform_attribution: {
    country_code: "text",
    engagement_time: "text",
    engagement_type: "text",
    attribution_type: "text",
    post_id: "text",
    promoted_properties: {
      campaign_id: "text",
      line_item_id: "text",
      publisher_app_id: "text",
      account_id: "text",
      line_item_objective: "text",
      campaign_name: "text",
    },
  },
};

/** Result of a conversion, as the measurement interface returns it. The attribution is known only from its response. */
export const attributedConversion = {
  fields,
  of: (conversion: z.infer<typeof conversionKey>): ActionResult => ({
    app_id: conversion.app_id,
    conversion_type: conversion.conversion_type,
    conversion_time: conversion.conversion_time,
    os_type: conversion.os_type,
    hashed_device_id: conversion.hashed_device_id,
    click_window: conversion.click_window ?? DEFAULT_CLICK_WINDOW,
    view_through_window: conversion.view_through_window ?? DEFAULT_VIEW_WINDOW,
  }),
  usual: { platform_attribution: null } satisfies ActionResult,
  /** Converts the platform's response to plain data, with the app's id as a text. */
  answered: (answer: { readonly app_id: string | number }): ActionResult =>
    JSON.parse(JSON.stringify({ ...answer, app_id: String(answer.app_id) })),
};

/** Fields of the result of a look-up of an attribution. */
export const ATTRIBUTION_FIELDS: ResultFields = {
  ...attributedConversion.fields,
  extra_device_ids: "any",
};

/**
 * Attribution windows in days that the platform uses if a request names none. Source: the interface's description.
 */
export const DEFAULT_CLICK_WINDOW = 14;
export const DEFAULT_VIEW_WINDOW = 1;
