import type { ActionResult, ResultFields } from "./action-result.ts";

/** Parameters that identify a conversion, under the interface's names. */
interface ConversionNames {
  readonly app_id: string;
  readonly conversion_type: string;
  readonly conversion_time: string;
  readonly os_type: string;
  readonly hashed_device_id: string;
  readonly click_window?: number;
  readonly view_through_window?: number;
  readonly non_platform_engagement_time?: string;
  readonly non_platform_engagement_type?: string;
}

/** Fields that a recorded conversion and its look-up share. */
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

/** Conversion as the measurement interface answers it. The attribution is known only from the answer. */
export const attributedConversion = {
  fields,
  of: (conversion: ConversionNames): ActionResult => ({
    app_id: conversion.app_id,
    conversion_type: conversion.conversion_type,
    conversion_time: conversion.conversion_time,
    os_type: conversion.os_type,
    hashed_device_id: conversion.hashed_device_id,
    click_window: conversion.click_window ?? DEFAULT_CLICK_WINDOW,
    view_through_window: conversion.view_through_window ?? DEFAULT_VIEW_WINDOW,
  }),
  usual: { platform_attribution: null } satisfies ActionResult,
};

/** Attribution windows in days, if the request names none. Source: the interface's parameters of conversions. */
export const DEFAULT_CLICK_WINDOW = 14;
export const DEFAULT_VIEW_WINDOW = 1;
