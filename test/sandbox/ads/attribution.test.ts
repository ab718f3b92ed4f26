import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { attribute } from "../../../src/sandbox/ads/attribution.ts";
import type { EngagementRow } from "../../../src/sandbox/model/ads.ts";
import {
  APP,
  conversion,
  CONVERTED,
  dataOf,
  daysBefore,
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

const lookUp = (over: Query = {}): ReturnType<AdsPartner["ads"]> =>
  partner.ads("GET", "/conversion_attribution", { ...conversion, ...over });

/** Campaign to which the conversion is attributed, or null. */
async function campaign(over: Query = {}): Promise<string | null> {
  const { platform_attribution: claim } = dataOf(await lookUp(over));
  return claim === null ? null : String(Object(claim).promoted_properties.campaign_id);
}

describe("GET /conversion_attribution", () => {
  it("echoes the parameters with data_type, and typed in request.params", async () => {
    const { status, body } = await lookUp({ click_window: 30, extra_device_ids: "a1,b2" });

    expect(status).toBe(200);
    expect(body).toEqual({
      data_type: "conversion_attribution",
      request: { params: { ...conversion, click_window: 30, extra_device_ids: "a1,b2" } },
      data: {
        ...conversion,
        click_window: 30,
        view_through_window: 1,
        extra_device_ids: "a1,b2",
        non_platform_engagement_time: null,
        non_platform_engagement_type: null,
        partner_client_id: partner.fixture.app.app_id,
        platform_attribution: null,
      },
    });
  });

  test.each(Object.keys(conversion))("requires %s", async (name) => {
    const { [name]: _left, ...others } = conversion;

    expect(errorOf(await partner.ads("GET", "/conversion_attribution", others))).toMatchObject({
      status: 400,
      code: "MISSING_PARAMETER",
      parameter: name,
    });
  });

  it("has no rule between its two windows, since the interface returns it none", async () => {
    expect((await lookUp({ view_through_window: 30 })).status).toBe(200);
  });

  it("agrees with the answer of conversion_event", async () => {
    await partner.engaged({ campaign_id: "c1" });
    const reported = dataOf(await partner.ads("POST", "/conversion_event", conversion));

    expect(dataOf(await lookUp())["platform_attribution"]).toEqual(
      reported["platform_attribution"],
    );
  });
});

describe("click_window and view_through_window", () => {
  test.each([
    { type: "CLICK", days: 14, ms: 0, counts: true, why: "the last instant of the default" },
    { type: "CLICK", days: 14, ms: -1, counts: false, why: "a millisecond too old" },
    { type: "VIEW", days: 1, ms: 0, counts: true, why: "the last instant of the default" },
    { type: "VIEW", days: 1, ms: -1, counts: false, why: "a millisecond too old" },
    { type: "CLICK", days: 0, ms: 1, counts: false, why: "after the conversion" },
  ])("$type $days days and $ms ms before: $why", async ({ type, days, ms, counts }) => {
    await partner.engaged({ type, time: daysBefore(days, ms), campaign_id: "c1" });

    expect(await campaign()).toBe(counts ? "c1" : null);
  });

  test.each([
    { days: 7, narrower: 1 },
    { days: 14, narrower: 7 },
    { days: 30, narrower: 14 },
  ])("a click_window of $days days has exactly this length", async ({ days, narrower }) => {
    await partner.engaged({ time: daysBefore(days), campaign_id: "inside" });

    expect(await campaign({ click_window: days })).toBe("inside");
    expect(await campaign({ click_window: narrower })).toBeNull();
  });

  it("0 days turn views off, even at the instant of the conversion", async () => {
    await partner.engaged({ type: "VIEW", time: CONVERTED, campaign_id: "c1" });

    expect(await campaign({ view_through_window: 0 })).toBeNull();
  });

  it("a window of 30 days passes by the sandbox's clock, without waiting", async () => {
    const { control } = partner.fixture.sandbox;
    await partner.engaged({ time: CONVERTED, campaign_id: "c1" });
    const later = await control.advance(30 * 86_400_000);

    expect(await campaign({ click_window: 30, conversion_time: later.now })).toBe("c1");
    const past = await control.advance(1);
    expect(await campaign({ click_window: 30, conversion_time: past.now })).toBeNull();
  });
});

describe("Conversion event result: the engagement that is claimed", () => {
  it("is a click rather than a later view", async () => {
    await partner.engaged({ time: daysBefore(5), campaign_id: "click" });
    await partner.engaged({ type: "VIEW", time: daysBefore(0.5), campaign_id: "view" });

    expect(await campaign()).toBe("click");
  });

  it("is the latest of the same kind, in whatever order they were reported", async () => {
    await partner.engaged({ time: daysBefore(2), campaign_id: "late" });
    await partner.engaged({ time: daysBefore(9), campaign_id: "early" });

    expect(await campaign()).toBe("late");
  });

  test.each([
    { over: { hashed_device_id: "other" }, why: "another device" },
    { over: { app_store_identifier: "1" }, why: "another app" },
  ])("is none of $why", async ({ over }) => {
    await partner.engaged(over);

    expect(await campaign()).toBeNull();
  });

  it("may be one of extra_device_ids", async () => {
    await partner.engaged({ hashed_device_id: "b2", campaign_id: "c1" });

    expect(await campaign()).toBeNull();
    expect(await campaign({ extra_device_ids: "a1,b2" })).toBe("c1");
  });

  it("does not depend on the metadata parameters", async () => {
    await partner.engaged({ campaign_id: "c1" });
    const bare = await partner.ads("POST", "/conversion_event", conversion);
    const rich = await partner.ads("POST", "/conversion_event", {
      ...conversion,
      level: 9,
      price_micro: 1,
      price_currency: "JPY",
      device_ip_address: "192.0.2.1",
    });

    expect(dataOf(rich)["platform_attribution"]).toEqual(dataOf(bare)["platform_attribution"]);
  });
});

describe("a non-platform engagement", () => {
  const elsewhere = (days: number, type?: string): Query => ({
    non_platform_engagement_time: daysBefore(days),
    ...(type === undefined ? {} : { non_platform_engagement_type: type }),
  });

  test.each([
    { type: "CLICK", query: elsewhere(1, "CLICK"), claims: false, why: "a later click" },
    { type: "CLICK", query: elsewhere(3, "CLICK"), claims: true, why: "an earlier click" },
    { type: "CLICK", query: elsewhere(1), claims: false, why: "later, of a kind not given" },
    { type: "CLICK", query: elsewhere(3), claims: true, why: "earlier, of a kind not given" },
    { type: "CLICK", query: elsewhere(0.5, "VIEW"), claims: true, why: "a view beats no click" },
    { type: "CLICK", query: elsewhere(-1, "CLICK"), claims: true, why: "after the conversion" },
    { type: "VIEW", query: elsewhere(9, "CLICK"), claims: false, why: "a click beats any view" },
    { type: "VIEW", query: elsewhere(15, "CLICK"), claims: true, why: "outside its window" },
  ])("against a $type 2 days or 1 before: $why", async ({ type, query, claims }) => {
    await partner.engaged({ type, time: daysBefore(type === "CLICK" ? 2 : 1), campaign_id: "c1" });

    expect(await campaign(query)).toBe(claims ? "c1" : null);
  });

  it("is echoed", async () => {
    expect((await lookUp(elsewhere(1, "VIEW"))).body["data"]).toMatchObject({
      non_platform_engagement_time: daysBefore(1),
      non_platform_engagement_type: "VIEW",
    });
  });
});

describe("attribute", () => {
  const DAY_MS = 86_400_000;
  const engagement = fc.record({
    type: fc.constantFrom("CLICK" as const, "VIEW" as const),
    at: fc.integer({ min: 0, max: 60 * DAY_MS }),
  });
  const whole = (touch: { type: "CLICK" | "VIEW"; at: number }, index: number): EngagementRow => ({
    id: String(index),
    accountId: "a",
    hashedDeviceId: DEVICE,
    appStoreIdentifier: APP,
    network: "platform",
    postId: null,
    countryCode: null,
    campaignId: null,
    campaignName: null,
    lineItemId: null,
    lineItemObjective: null,
    publisherAppId: null,
    ...touch,
  });

  it("never claims a view while a click is inside its window, nor one outside its own", () => {
    const windows = fc.constantFrom(1, 7, 14, 30);
    fc.assert(
      fc.property(fc.array(engagement), windows, windows, (touches, clickDays, viewDays) => {
        const conversion = { at: 40 * DAY_MS, clickDays, viewDays };
        const all = touches.map(whole);
        const claimed = attribute(conversion, all);
        const inside = (e: EngagementRow): boolean =>
          e.at <= conversion.at &&
          conversion.at - e.at <= (e.type === "CLICK" ? clickDays : viewDays) * DAY_MS;
        const clicks = all.filter((e) => e.type === "CLICK" && inside(e));
        const field = clicks.length > 0 ? clicks : all.filter(inside);

        expect(claimed?.at).toBe(
          field.length === 0 ? undefined : Math.max(...field.map((e) => e.at)),
        );
      }),
    );
  });
});
