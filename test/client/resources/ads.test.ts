import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AppEventTag } from "../../../src/client/objects/app-event-tag.ts";
import { AttributionResult, ConversionResult } from "../../../src/client/objects/conversion.ts";
import { failureOf, world, type World } from "../support/world.ts";

let here: World;
let accountId: string;
beforeAll(async () => {
  here = await world();
  const adsAccount = await here.sandbox.control.post<{ account_id: string }>("/ads/accounts", {
    user_id: here.botId,
    name: "Bot ads",
  });
  accountId = adsAccount.account_id;
});
afterAll(() => here.close());

const newTag = (name: string) => ({
  accountId,
  appStoreIdentifier: "com.example.game",
  conversionType: "INSTALL" as const,
  osType: "ANDROID" as const,
  providerAppEventId: name,
  providerAppEventName: name,
});

describe("app event tags", () => {
  it("are created, read, listed and deleted", async () => {
    const { appEventTags } = here.bot;
    const created = await appEventTags.create({
      ...newTag("install"),
      postViewAttributionWindow: 0,
    });
    const tag = created.data;
    expect(tag).toMatchObject({ conversion_type: "INSTALL", post_view_attribution_window: 0 });
    const id = { accountId, appEventTagId: tag.id };
    expect((await appEventTags.get(id)).data).toMatchObject({ id: tag.id, deleted: false });
    expect((await appEventTags.list({ accountId })).data.map((one) => one.id)).toContain(tag.id);
    expect((await appEventTags.delete(id)).data).toMatchObject({ id: tag.id, deleted: true });
    expect(await failureOf(appEventTags.get(id))).toMatchObject({ status: 404, notFound: true });
    const deleted = await appEventTags.get({ ...id, withDeleted: true });
    expect(deleted.data).toMatchObject({ deleted: true });
  });

  it("are read with values that the platform has not documented", async () => {
    const { data } = await here.bot.appEventTags.create(newTag("undocumented"));
    await here.bot.appEventTags.delete({ accountId, appEventTagId: data.id });
    const tag = { ...data, os_type: "VISION_OS", conversion_type: "SUBSCRIBED" };

    expect(AppEventTag.parse(tag)).toEqual(tag);
  });

  it("have a budget of their own for requests with the total count", async () => {
    const { appEventTags, rateLimits } = here.bot;
    const endpoint = "GET /accounts/:account_id/app_event_tags";
    await appEventTags.list({ accountId });
    const before = rateLimits.get(endpoint);

    await appEventTags.list({ accountId, withTotalCount: true });

    expect(before?.window).toMatchObject({ limit: 2_000 });
    expect(rateLimits.get(endpoint)).toEqual(before);
    expect(rateLimits.all()).toContainEqual(
      expect.objectContaining({
        endpoint: `${endpoint} with_total_count`,
        window: expect.objectContaining({ limit: 200, remaining: 199 }),
      }),
    );
    await appEventTags.list({ accountId, withTotalCount: false });
    expect(rateLimits.get(endpoint)?.window?.remaining).toBeLessThan(
      before?.window?.remaining ?? 0,
    );
  });

  it("are iterated over, cursor by cursor", async () => {
    const { appEventTags } = here.bot;
    for (let nth = 0; nth < 5; nth += 1) await appEventTags.create(newTag(`tag ${nth}`));
    const names = [];
    const list = appEventTags.list({ accountId, count: 2, sortBy: "created_at-asc" });
    for await (const tag of list) names.push(tag.provider_app_event_name);
    expect(names).toEqual(["tag 0", "tag 1", "tag 2", "tag 3", "tag 4"]);
    const counted = await appEventTags.list({ accountId, count: 2, withTotalCount: true });
    expect(counted).toMatchObject({ total_count: 5, next_cursor: expect.any(String) });
  });

  it("are not requested in ways that the platform refuses", async () => {
    const list = async (params: object) => here.bot.appEventTags.list({ accountId, ...params });
    expect(await failureOf(list({ count: 0 }))).toMatchObject({ name: "UsageError" });
    expect(await failureOf(list({ cursor: "c", withTotalCount: true }))).toMatchObject({
      name: "UsageError",
    });
    const appEventTagIds = Array.from({ length: 201 }, (_, nth) => String(nth));
    expect(await failureOf(list({ appEventTagIds }))).toMatchObject({ name: "UsageError" });
  });
});

describe("app lists", () => {
  it("are listed and read", async () => {
    const { id } = await here.sandbox.control.post<{ id: string }>("/ads/app_lists", {
      account_id: accountId,
      name: "games",
      app_store_identifiers: ["com.example.game"],
    });
    expect((await here.bot.appLists.list({ accountId })).data).toMatchObject([{ id }]);
    const { data } = await here.bot.appLists.get({ accountId, appListId: id });
    expect(data).toMatchObject({ id });
  });
});

describe("conversions", () => {
  const key = {
    appId: "com.example.game",
    conversionType: "INSTALL",
    hashedDeviceId: "a".repeat(64),
    osType: "ANDROID",
  } as const;

  it("are recorded and looked up", async () => {
    await here.sandbox.control.post("/ads/engagements", {
      account_id: accountId,
      hashed_device_id: key.hashedDeviceId,
      type: "CLICK",
      time: new Date(Date.now() - 3_600_000).toISOString(),
      app_store_identifier: key.appId,
    });
    const conversionTime = new Date();
    const { data: recorded, request } = await here.bot.conversions.record({
      ...key,
      conversionTime,
      priceMicro: 990_000,
    });
    expect(request.params).toMatchObject({ app_id: key.appId, version_number: "12" });
    expect(recorded.platform_attribution).toMatchObject({
      engagement_type: "CLICK",
      attribution_type: "PROMOTED",
    });
    const { data: looked } = await here.bot.conversions.attribution({ ...key, conversionTime });
    expect(looked.platform_attribution).toEqual(recorded.platform_attribution);
    const stranger = { ...key, hashedDeviceId: "b".repeat(64), conversionTime };
    const { data: unclaimed } = await here.bot.conversions.record(stranger);
    expect(unclaimed.platform_attribution).toBeNull();
  });

  it("are read with values that the platform has not documented", () => {
    const attribution = { engagement_time: "2026-01-01T00:00:00Z", promoted_properties: {} };
    const result = {
      app_id: key.appId,
      conversion_time: "2026-01-01T00:00:00.000Z",
      conversion_type: "SUBSCRIBED",
      hashed_device_id: key.hashedDeviceId,
      os_type: "VISION_OS",
      non_platform_engagement_type: "HOVER",
      platform_attribution: {
        ...attribution,
        engagement_type: "HOVER",
        attribution_type: "PROMOTED",
      },
    };

    expect(ConversionResult.parse(result)).toEqual(result);
    expect(AttributionResult.parse(result)).toEqual(result);
  });

  it("report the platform's code for an error", async () => {
    const windows = { clickWindow: 1, viewThroughWindow: 30 } as const;
    const call = here.bot.conversions.record({ ...key, conversionTime: new Date(), ...windows });
    expect(await failureOf(call)).toMatchObject({
      status: 400,
      refusal: { adsCode: expect.any(String) },
    });
  });
});
