import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { send, signed } from "../support/test-sandbox.ts";
import { conversion, startAdsPartner, type AdsPartner, errorOf, newTag } from "./ads-partner.ts";

let partner: AdsPartner;
beforeEach(async () => {
  partner = await startAdsPartner();
});
afterEach(() => partner.fixture.close());

describe("Versioning", () => {
  it("returns the current version in every answer", async () => {
    const good = await partner.ads("POST", "/conversion_event", conversion);
    const bad = await partner.ads("POST", "/conversion_event", {});

    expect([good, bad].map(({ headers }) => headers.get("x-current-api-version"))).toEqual([
      "12",
      "12",
    ]);
  });

  test.each(["1", "5", "13", "v12"])("knows no version %s of conversion_event", async (version) => {
    const response = await partner.ads("POST", "/conversion_event", conversion, { version });

    expect(errorOf(response)).toMatchObject({ status: 404, code: "ROUTE_NOT_FOUND" });
    expect(response.body).toHaveProperty("request.params");
  });

  it("answers an unknown path in the same shape", async () => {
    expect(errorOf(await partner.ads("GET", "/campaigns/x/y"))).toMatchObject({
      status: 404,
      code: "ROUTE_NOT_FOUND",
    });
  });
});

describe("Authentication", () => {
  it("takes requests signed for a user, and for the live host as well", async () => {
    const { sandbox, app, bot } = partner.fixture;
    const tokens = await sandbox.control.tokens(bot, app.app_id);
    const live = `https://ads-api.x.com/12/accounts/${partner.accountId}/app_lists`;

    const response = await send(
      "GET",
      `${sandbox.adsUrl}/12/accounts/${partner.accountId}/app_lists`,
      signed(app, tokens, "GET", live),
    );

    expect(response.status).toBe(200);
  });

  it("refuses the app alone", async () => {
    const path = `/ads/12/accounts/${partner.accountId}/app_lists`;

    expect(errorOf(await partner.fixture.asApp("GET", path))).toMatchObject({
      status: 403,
      code: "UNAUTHORIZED_CLIENT_APPLICATION",
    });
  });

  test.each([
    { authorization: "", why: "nothing" },
    { authorization: "Bearer nonsense", why: "an unknown token" },
  ])("refuses $why", async ({ authorization }) => {
    const url = `${partner.fixture.sandbox.adsUrl}/12/accounts/${partner.accountId}/app_lists`;

    expect(errorOf(await send("GET", url, authorization))).toMatchObject({
      status: 401,
      code: "UNAUTHORIZED_ACCESS",
    });
  });

  it("lets no read-only token write", async () => {
    const { control } = partner.fixture.sandbox;
    await control.call("PATCH", `/apps/${partner.fixture.app.app_id}`, {
      permission_level: "read",
    });
    const path = `/accounts/${partner.accountId}/app_event_tags`;

    expect(errorOf(await partner.ads("POST", path, newTag))).toMatchObject({
      status: 403,
      code: "READONLY_CLIENT_APPLICATION",
    });
    expect((await partner.ads("GET", path)).status).toBe(200);
  });
});

describe("an account", () => {
  test.each(["app_event_tags", "app_lists", "app_event_tags/1", "app_lists/1"])(
    "must be associated with the authenticated user: %s",
    async (below) => {
      const path = `/accounts/${partner.accountId}/${below}`;

      const response = await partner.ads("GET", path, {}, { userId: partner.fixture.person });

      expect(errorOf(response)).toMatchObject({
        status: 403,
        code: "ACCOUNT_NOT_FOUND",
        parameter: "account_id",
        value: partner.accountId,
      });
    },
  );

  it("that does not exist is reported like one of others", async () => {
    expect(errorOf(await partner.ads("GET", "/accounts/nowhere/app_lists"))).toMatchObject({
      status: 403,
      code: "ACCOUNT_NOT_FOUND",
    });
  });
});

describe("the control interface", () => {
  test.each([
    { path: "/ads/accounts", body: { user_id: "1", name: "a" }, code: "unknown_user" },
    { path: "/ads/accounts", body: { name: "a" }, code: "invalid_request" },
    { path: "/ads/app_lists", body: { account_id: "1", name: "a" }, code: "invalid_request" },
    {
      path: "/ads/app_lists",
      body: { account_id: "1", name: "a", app_store_identifiers: ["1"] },
      code: "unknown_account",
    },
    { path: "/ads/engagements", body: { type: "TAP" }, code: "invalid_request" },
  ])("refuses $body at $path with $code", async ({ path, body, code }) => {
    await expect(partner.fixture.sandbox.control.post(path, body)).rejects.toMatchObject({ code });
  });

  it("keeps everything in a saved world", async () => {
    const { control } = partner.fixture.sandbox;
    const tag = await partner.tag();
    await partner.engaged();
    await partner.appList("winter");
    await partner.ads("POST", "/conversion_event", conversion);
    const state = await control.get("/state");
    await control.post("/reset");
    await control.call("PUT", "/state", state);

    expect(await control.get("/state")).toMatchObject({ tables: Object(state).tables });
    const path = `/accounts/${partner.accountId}/app_event_tags/${tag}`;
    expect((await partner.ads("GET", path)).status).toBe(200);
  });
});
