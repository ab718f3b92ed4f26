import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { conversion, desk, type Desk, errorOf, newTag, type Query } from "./desk.ts";

let at: Desk;
let path: string;
beforeEach(async () => {
  at = await desk();
  path = `/accounts/${at.accountId}/app_event_tags`;
});
afterEach(() => at.stage.close());

const create = (over: Query = {}): ReturnType<Desk["ads"]> =>
  at.ads("POST", path, { ...newTag, ...over });

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
      request: { params: { account_id: at.accountId, ...newTag } },
    });
  });

  it("keeps the optional parameters", async () => {
    const given = {
      deep_link_scheme: "shop://home",
      post_engagement_attribution_window: 7,
      post_view_attribution_window: 0,
      retargeting_enabled: false,
    };

    const { body } = await create(given);

    expect(body["data"]).toMatchObject(given);
    expect(body["request"]).toMatchObject({ params: given });
  });

  test.each(Object.keys(newTag))("requires %s", async (parameter) => {
    const { [parameter]: _left, ...others } = newTag;

    expect(errorOf(await at.ads("POST", path, others))).toMatchObject({
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
  it("gives the tag with status and last_tracked_at", async () => {
    const id = await at.tag();

    const { status, body } = await at.ads("GET", `${path}/${id}`);

    expect(status).toBe(200);
    expect(body).toMatchObject({
      request: { params: { account_id: at.accountId, app_event_tag_id: id } },
      data: { id, status: "TRACKING", last_tracked_at: null, deleted: false },
    });
  });

  it("shows the status that the control interface set", async () => {
    const id = await at.tag();
    const { control } = at.stage.sandbox;
    await control.call("PATCH", `/ads/app_event_tags/${id}`, { status: "UNVERIFIED" });

    expect((await at.ads("GET", `${path}/${id}`)).body).toMatchObject({
      data: { status: "UNVERIFIED" },
    });
  });

  it("finds no tag of another account", async () => {
    const id = await at.tag();
    const other = await at.stage.sandbox.control.post<{ account_id: string }>("/ads/accounts", {
      user_id: at.stage.bot,
      name: "another",
    });

    const told = await at.ads("GET", `/accounts/${other.account_id}/app_event_tags/${id}`);

    expect(errorOf(told)).toMatchObject({ status: 404, code: "APP_EVENT_TAG_NOT_FOUND" });
  });
});

describe("App event tag: last_tracked_at", () => {
  const tracked = async (id: string): Promise<unknown> =>
    Object((await at.ads("GET", `${path}/${id}`)).body["data"]).last_tracked_at;

  it("is when a conversion of the same app, system and type was last reported", async () => {
    const id = await at.tag();
    await at.stage.sandbox.control.advance(60_000);

    await at.ads("POST", "/conversion_event", conversion);

    expect(await tracked(id)).toBe("2026-03-31T12:01:00Z");
  });

  test.each([
    { over: { os_type: "ANDROID" }, why: "another system" },
    { over: { conversion_type: "PURCHASE" }, why: "another type" },
    { over: { app_store_identifier: "1" }, why: "another app" },
  ])("stays null for a tag of $why", async ({ over }) => {
    const id = await at.tag(over);

    expect((await at.ads("POST", "/conversion_event", conversion)).status).toBe(200);
    expect(await tracked(id)).toBeNull();
  });

  it("is not moved by looking an attribution up", async () => {
    const id = await at.tag();
    await at.ads("GET", "/conversion_attribution", conversion);

    expect(await tracked(id)).toBeNull();
  });
});

describe("States and transitions: DELETE app_event_tags/:id", () => {
  it("gives the tag back with deleted true, and echoes both path parameters", async () => {
    const id = await at.tag();

    const { status, body } = await at.ads("DELETE", `${path}/${id}`);

    expect(status).toBe(200);
    expect(body).toMatchObject({
      data: { id, deleted: true, status: "TRACKING", last_tracked_at: null },
      request: { params: { account_id: at.accountId, id } },
    });
  });

  it("leaves the tag to those who ask with_deleted", async () => {
    const id = await at.tag();
    await at.ads("DELETE", `${path}/${id}`);

    expect(errorOf(await at.ads("GET", `${path}/${id}`))).toMatchObject({ status: 404 });
    expect((await at.ads("GET", `${path}/${id}`, { with_deleted: true })).body).toMatchObject({
      data: { id, deleted: true },
    });
    expect(errorOf(await at.ads("DELETE", `${path}/${id}`))).toMatchObject({
      status: 404,
      code: "APP_EVENT_TAG_NOT_FOUND",
      parameter: "id",
      value: id,
    });
  });
});
