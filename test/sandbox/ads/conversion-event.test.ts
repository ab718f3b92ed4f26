import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { CONVERSION_TYPES } from "../../../src/protocol/ads.ts";
import {
  APP,
  conversion,
  CONVERTED,
  startAdsPartner,
  type AdsPartner,
  DEVICE,
  errorOf,
  type Query,
} from "./ads-partner.ts";

let partner: AdsPartner;
beforeEach(async () => {
  partner = await startAdsPartner();
});
afterEach(() => partner.fixture.close());

const report = (over: Query = {}): ReturnType<AdsPartner["ads"]> =>
  partner.ads("POST", "/conversion_event", { ...conversion, ...over });

describe("Conversion event result", () => {
  it("echoes the conversion with its defaults, and claims nothing without an engagement", async () => {
    const { status, body } = await report();

    expect(status).toBe(200);
    expect(body["data"]).toEqual({
      app_id: APP,
      os_type: "IOS",
      conversion_type: "INSTALL",
      conversion_time: CONVERTED,
      hashed_device_id: DEVICE,
      click_window: 14,
      view_through_window: 1,
      conversion_value_micro: 0,
      limit_ad_tracking: false,
      event_metadata: null,
      non_platform_engagement_type: null,
      non_platform_engagement_time: null,
      partner_client_id: partner.fixture.app.app_id,
      platform_attribution: null,
    });
  });

  it("echoes the parameters as sent, with version_number, in request.params", async () => {
    const { body } = await report({ click_window: 30 });

    expect(body["request"]).toEqual({
      params: { ...conversion, click_window: "30", version_number: "12" },
    });
  });

  it("returns the metadata as event_metadata and the price as conversion value", async () => {
    const { body } = await report({
      level: 3,
      number_items: 2,
      price_currency: "EUR",
      price_micro: 4_990_000,
      user_payment_info: true,
      device_ip_address: "2001:db8::1",
    });

    expect(body["data"]).toMatchObject({
      conversion_value_micro: 4_990_000,
      event_metadata: {
        level: 3,
        number_items: 2,
        price_currency: "EUR",
        price_micro: 4_990_000,
        user_payment_info: true,
      },
    });
  });

  it("shows the promoted engagement that led to a conversion", async () => {
    await partner.engaged({
      time: "2026-03-30T08:00:00.000Z",
      post_id: "1900",
      country_code: "US",
      campaign_id: "c1",
      campaign_name: "spring",
      line_item_id: "l1",
      line_item_objective: "APP_INSTALLS",
      publisher_app_id: "p1",
    });

    const { body } = await report();

    expect(body["data"]).toMatchObject({
      platform_attribution: {
        country_code: "US",
        engagement_time: "2026-03-30T08:00:00.000Z",
        engagement_type: "CLICK",
        attribution_type: "PROMOTED",
        promoted_properties: {
          campaign_id: "c1",
          line_item_id: "l1",
          publisher_app_id: "p1",
          account_id: partner.accountId,
          line_item_objective: "APP_INSTALLS",
          campaign_name: "spring",
        },
        post_id: "1900",
      },
    });
    expect(body["data"]).not.toHaveProperty("tpn_attribution");
  });

  it("claims an engagement on the audience network as tpn_attribution, and only there", async () => {
    await partner.engaged({ network: "audience", campaign_id: "c2" });

    const { body } = await report();

    expect(body["data"]).toMatchObject({
      platform_attribution: null,
      tpn_attribution: { engagement_type: "CLICK", promoted_properties: { campaign_id: "c2" } },
    });
  });
});

describe("POST /conversion_event parameters", () => {
  test.each(Object.keys(conversion))("requires %s", async (name) => {
    const { [name]: _left, ...others } = conversion;

    const response = await partner.ads("POST", "/conversion_event", others);

    expect(errorOf(response)).toEqual({
      status: 400,
      code: "MISSING_PARAMETER",
      message: `${name} is required`,
      parameter: name,
    });
    expect(response.body["request"]).toEqual({ params: others });
  });

  test.each([
    { query: { conversion_time: "2026-03-31T12:00:00Z" }, why: "no milliseconds" },
    { query: { conversion_time: "2026-02-30T12:00:00.000Z" }, why: "no such day" },
    { query: { conversion_time: "1774958400000" }, why: "not ISO 8601" },
    { query: { conversion_type: "install" }, why: "enumerations are in capitals" },
    { query: { conversion_type: "BOUGHT" }, why: "not in the list" },
    { query: { os_type: "WINDOWS" }, why: "IOS or ANDROID" },
    { query: { hashed_device_id: "" }, why: "empty" },
    { query: { click_window: 0 }, why: "0 is for views" },
    { query: { click_window: 15 }, why: "not 1, 7, 14 or 30" },
    { query: { view_through_window: 2 }, why: "not 0, 1, 7, 14 or 30" },
    { query: { device_ip_address: "10.0.0" }, why: "neither IPv4 nor IPv6" },
    { query: { level: "three" }, why: "not a whole number" },
    { query: { number_items: "1.5" }, why: "not a whole number" },
    { query: { price_micro: "" }, why: "not a whole number" },
    { query: { price_currency: "EURO" }, why: "not an ISO 4217 code" },
    { query: { user_payment_info: "yes" }, why: "true or false" },
    { query: { non_platform_engagement_type: "TAP" }, why: "CLICK or VIEW" },
    { query: { non_platform_engagement_time: "yesterday" }, why: "not ISO 8601" },
  ])("refuses $query: $why", async ({ query }) => {
    const [[parameter, value] = []] = Object.entries(query);

    expect(errorOf(await report(query as Query))).toEqual({
      status: 400,
      code: "INVALID_PARAMETER",
      message: expect.stringContaining(`got "${value}" for ${parameter}`),
      parameter,
      value: String(value),
    });
  });

  it.each(CONVERSION_TYPES)("takes the conversion type %s", async (conversion_type) => {
    expect((await report({ conversion_type })).status).toBe(200);
  });

  test.each([
    { query: { click_window: 1, view_through_window: 7 }, status: 400, why: "above click_window" },
    { query: { view_through_window: 30 }, status: 400, why: "above its default of 14" },
    { query: { click_window: 7, view_through_window: 7 }, status: 200, why: "equal" },
    { query: { click_window: 30, view_through_window: 0 }, status: 200, why: "views off" },
  ])("keeps view_through_window <= click_window: $why", async ({ query, status }) => {
    expect((await report(query as Query)).status).toBe(status);
  });

  it("returns all faults at once", async () => {
    const response = await report({ os_type: "PALM", conversion_type: "NONE" });

    expect(errorOf(response)).toMatchObject({ status: 400, others: 1 });
  });

  it("reads only the query, and explains this to a request that sends them in the body", async () => {
    const response = await partner.ads("POST", "/conversion_event", {}, { body: conversion });

    expect(errorOf(response)).toMatchObject({
      code: "MISSING_PARAMETER",
      message: expect.stringContaining("the query, not the body"),
    });
  });

  it("takes an app_id of either store", async () => {
    expect((await report({ app_id: "com.example.app", os_type: "ANDROID" })).body).toMatchObject({
      data: { app_id: "com.example.app" },
    });
  });
});
