import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import {
  conversion,
  startAdsPartner,
  type AdsPartner,
  errorOf,
  newTag,
  type Query,
} from "./ads-partner.ts";

let partner: AdsPartner;
let path: string;
beforeEach(async () => {
  partner = await startAdsPartner();
  path = `/accounts/${partner.accountId}/app_event_tags`;
});
afterEach(() => partner.fixture.close());

const create = (over: Query = {}): ReturnType<AdsPartner["ads"]> =>
  partner.ads("POST", path, { ...newTag, ...over });

describe("POST app_event_tags", () => {
  it("makes a tag with the documented defaults, without status and last_tracked_at", async () => {
    const { status, body } = await create();

    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-z]+$/),
        app_store_identifier: newTag["app_store_identifier"],
        os_type: "IOS",
        conversion_type: "INSTALL",
        provider_app_event_id: "2001",
        provider_app_event_name: "first open",
        deep_link_scheme: null,
        post_engagement_attribution_window: 30,
        post_view_attribution_window: 1,
        retargeting_enabled: true,
        created_at: "2026-03-31T12:00:00Z",
        updated_at: "2026-03-31T12:00:00Z",
        deleted: false,
      },
      request: { params: { account_id: partner.accountId, ...newTag } },
    });
  });

  it("keeps the optional parameters", async () => {
    const fields = {
      deep_link_scheme: "shop://home",
      post_engagement_attribution_window: 7,
      post_view_attribution_window: 0,
      retargeting_enabled: false,
    };

    const { body } = await create(fields);

    expect(body["data"]).toMatchObject(fields);
    expect(body["request"]).toMatchObject({ params: fields });
  });

  test.each(Object.keys(newTag))("requires %s", async (parameter) => {
    const { [parameter]: _left, ...others } = newTag;

    expect(errorOf(await partner.ads("POST", path, others))).toMatchObject({
      status: 400,
      code: "MISSING_PARAMETER",
      parameter,
    });
  });

  test.each([
    { query: { conversion_type: "BUY" }, why: "not a conversion type" },
    { query: { os_type: "ios" }, why: "capitals" },
    { query: { post_engagement_attribution_window: 0 }, why: "not 1, 7, 14 or 30" },
    { query: { post_view_attribution_window: 3 }, why: "not 0, 1, 7, 14 or 30" },
    { query: { retargeting_enabled: 1 }, why: "true or false" },
  ])("refuses $query: $why", async ({ query }) => {
    const [parameter] = Object.keys(query);

    expect(errorOf(await create(query as Query))).toMatchObject({
      status: 400,
      code: "INVALID_PARAMETER",
      parameter,
    });
  });
});

describe("GET app_event_tags/:app_event_tag_id", () => {
  it("returns the tag with status and last_tracked_at", async () => {
    const id = await partner.tag();

    const { status, body } = await partner.ads("GET", `${path}/${id}`);

    expect(status).toBe(200);
    expect(body).toMatchObject({
      request: { params: { account_id: partner.accountId, app_event_tag_id: id } },
      data: { id, status: "TRACKING", last_tracked_at: null, deleted: false },
    });
  });

  it("shows the status that the control interface set", async () => {
    const id = await partner.tag();
    const { control } = partner.fixture.sandbox;
    await control.call("PATCH", `/ads/app_event_tags/${id}`, { status: "UNVERIFIED" });

    expect((await partner.ads("GET", `${path}/${id}`)).body).toMatchObject({
      data: { status: "UNVERIFIED" },
    });
  });

  it("finds no tag of another account", async () => {
    const id = await partner.tag();
    const other = await partner.fixture.sandbox.control.post<{ account_id: string }>(
      "/ads/accounts",
      {
        user_id: partner.fixture.bot,
        name: "another",
      },
    );

    const response = await partner.ads("GET", `/accounts/${other.account_id}/app_event_tags/${id}`);

    expect(errorOf(response)).toMatchObject({ status: 404, code: "APP_EVENT_TAG_NOT_FOUND" });
  });
});

describe("App event tag: last_tracked_at", () => {
  const tracked = async (id: string): Promise<unknown> =>
    Object((await partner.ads("GET", `${path}/${id}`)).body["data"]).last_tracked_at;

  it("is when a conversion of the same app, system and type was last reported", async () => {
    const id = await partner.tag();
    await partner.fixture.sandbox.control.advance(60_000);

    await partner.ads("POST", "/conversion_event", conversion);

    expect(await tracked(id)).toBe("2026-03-31T12:01:00Z");
  });

  test.each([
    { over: { os_type: "ANDROID" }, why: "another system" },
    { over: { conversion_type: "PURCHASE" }, why: "another type" },
    { over: { app_store_identifier: "1" }, why: "another app" },
  ])("stays null for a tag of $why", async ({ over }) => {
    const id = await partner.tag(over);

    expect((await partner.ads("POST", "/conversion_event", conversion)).status).toBe(200);
    expect(await tracked(id)).toBeNull();
  });

  it("is not moved by looking an attribution up", async () => {
    const id = await partner.tag();
    await partner.ads("GET", "/conversion_attribution", conversion);

    expect(await tracked(id)).toBeNull();
  });
});

describe("States and transitions: DELETE app_event_tags/:id", () => {
  it("returns the tag back with deleted true, and echoes both path parameters", async () => {
    const id = await partner.tag();

    const { status, body } = await partner.ads("DELETE", `${path}/${id}`);

    expect(status).toBe(200);
    expect(body).toMatchObject({
      data: { id, deleted: true, status: "TRACKING", last_tracked_at: null },
      request: { params: { account_id: partner.accountId, id } },
    });
  });

  it("shows the tag only with with_deleted", async () => {
    const id = await partner.tag();
    await partner.ads("DELETE", `${path}/${id}`);

    expect(errorOf(await partner.ads("GET", `${path}/${id}`))).toMatchObject({ status: 404 });
    expect((await partner.ads("GET", `${path}/${id}`, { with_deleted: true })).body).toMatchObject({
      data: { id, deleted: true },
    });
    expect(errorOf(await partner.ads("DELETE", `${path}/${id}`))).toMatchObject({
      status: 404,
      code: "APP_EVENT_TAG_NOT_FOUND",
      parameter: "id",
      value: id,
    });
  });
});
