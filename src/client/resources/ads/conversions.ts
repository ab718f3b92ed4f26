import type { ConversionType, EngagementType, OsType } from "../../../protocol/ads.ts";

import { type AdsResult, adsResult } from "../../reading/ads-result.ts";
import type { CallOptions } from "../../http/api-caller.ts";
import type { Caller } from "../../http/caller.ts";
import { type Endpoints, SIGNED } from "../../http/endpoint.ts";
import { AttributionResult, ConversionResult } from "../../objects/conversion.ts";
import type { Params } from "../../http/endpoint.ts";

/** Attribution window of clicks, in days. */
export type ClickWindow = 1 | 7 | 14 | 30;

/** Attribution window of views, in days; 0 ignores views. It must not exceed the click window. */
export type ViewWindow = 0 | 1 | 7 | 14 | 30;

/** Event, time and device of a conversion, and its attribution windows. */
export interface ConversionKey {
  /** App store identifier. */
  readonly appId: string | number;
  /** Time of the conversion: a text in ISO 8601 with milliseconds, or a `Date`. */
  readonly conversionTime: string | Date;
  readonly conversionType: ConversionType;
  /** HMAC-SHA-256 of the device's advertising identifier. */
  readonly hashedDeviceId: string;
  readonly osType: OsType;
  /** Attribution window of clicks in days; default 14. */
  readonly clickWindow?: ClickWindow | undefined;
  /** Attribution window of views in days; default 1. */
  readonly viewThroughWindow?: ViewWindow | undefined;
  /** Time of the last engagement on another platform before the conversion. */
  readonly nonPlatformEngagementTime?: string | Date | undefined;
  readonly nonPlatformEngagementType?: EngagementType | undefined;
}

/** A conversion to record. The fields below do not change the attribution; the platform only stores them. */
export interface NewConversion extends ConversionKey {
  /** IPv4 or IPv6 address of the device at the conversion. */
  readonly deviceIpAddress?: string | undefined;
  readonly level?: number | undefined;
  readonly numberItems?: number | undefined;
  /** Currency code of ISO 4217. */
  readonly priceCurrency?: string | undefined;
  /** Price in millionths of the currency. */
  readonly priceMicro?: number | undefined;
  readonly userPaymentInfo?: boolean | undefined;
}

/** A conversion to look up. */
export interface AttributionQuery extends ConversionKey {
  readonly extraDeviceIds?: string | undefined;
}

/** Conversions: record them, look up their attribution. */
export interface ConversionsMethods {
  /** Records a conversion; the response has its attribution. */
  record(conversion: NewConversion, options?: CallOptions): Promise<AdsResult<ConversionResult>>;
  /** Looks up the attribution of a conversion. */
  attribution(
    query: AttributionQuery,
    options?: CallOptions,
  ): Promise<AdsResult<AttributionResult>>;
}

/** Endpoints of the conversion methods. */
export const CONVERSIONS = {
  record: { method: "POST", path: "/conversion_event", takes: SIGNED, ads: true },
  attribution: { method: "GET", path: "/conversion_attribution", takes: SIGNED, ads: true },
} as const satisfies Endpoints<ConversionsMethods>;

/** Creates the methods of conversions, which send their requests through `caller`. */
export function conversions(caller: Caller): ConversionsMethods {
  return {
    record: async (conversion, options) => {
      const query = {
        ...keyParams(conversion),
        device_ip_address: conversion.deviceIpAddress,
        level: conversion.level,
        number_items: conversion.numberItems,
        price_currency: conversion.priceCurrency,
        price_micro: conversion.priceMicro,
        user_payment_info: conversion.userPaymentInfo,
      };
      return adsResult(await caller.call(CONVERSIONS.record, { query }, options), ConversionResult);
    },
    attribution: async (conversion, options) => {
      const query = { ...keyParams(conversion), extra_device_ids: conversion.extraDeviceIds };
      const answer = await caller.call(CONVERSIONS.attribution, { query }, options);
      return adsResult(answer, AttributionResult);
    },
  };
}

function keyParams(key: ConversionKey): Params {
  return {
    app_id: key.appId,
    conversion_time: key.conversionTime,
    conversion_type: key.conversionType,
    hashed_device_id: key.hashedDeviceId,
    os_type: key.osType,
    click_window: key.clickWindow,
    view_through_window: key.viewThroughWindow,
    non_platform_engagement_time: key.nonPlatformEngagementTime,
    non_platform_engagement_type: key.nonPlatformEngagementType,
  };
}
