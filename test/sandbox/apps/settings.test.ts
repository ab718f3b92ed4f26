import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { send, startTestSandbox, type TestSandbox } from "../support/test-sandbox.ts";

let fixture: TestSandbox;
beforeEach(async () => {
  fixture = await startTestSandbox();
});
afterEach(() => fixture.close());

const patch = (changes: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> =>
  fixture.sandbox.control.call("PATCH", `/apps/${fixture.app.app_id}`, changes);

const details = {
  name: "Tea House",
  icon_url: "https://tea.example/icon.png",
  description: "Counts cups.",
  website_url: "https://tea.example/",
  callback_urls: ["https://tea.example/cb"],
  terms_url: "https://tea.example/terms",
  privacy_url: "https://tea.example/privacy",
  organization_name: "Tea Ltd",
  organization_url: "https://tea.example/about",
  purpose: "Tea.",
};

describe("Developer app settings", () => {
  it("keep every detail of an app", async () => {
    const created = await fixture.sandbox.control.app(details);

    expect(await fixture.sandbox.control.get(`/apps/${created.app_id}`)).toMatchObject(details);
  });

  it("are listed without secrets", async () => {
    const listed = await fixture.sandbox.control.get<{ apps: unknown[] }>("/apps");
    const text = JSON.stringify(listed);

    expect(listed.apps).toMatchObject([{ app_id: fixture.app.app_id }]);
    for (const secret of [
      fixture.app.consumer_secret,
      fixture.app.bearer_token,
      fixture.app.client_secret,
    ]) {
      expect(text).not.toContain(secret);
    }
  });

  test.each([
    { changes: { oauth1: false, oauth2: false }, text: /OAuth 1\.0a, OAuth 2\.0 or both/ },
    { changes: { email: true }, text: /terms_url and privacy_url/ },
    { changes: { email: true, terms_url: "https://a.example/" }, text: /privacy_url/ },
    { changes: { callback_urls: urls(11) }, text: /at most 10 entries, got 11/ },
    { changes: { callback_urls: ["http://localhost/"] }, text: /callback_urls: .*localhost/ },
    { changes: { website_url: "tea" }, text: /website_url: "tea" is not a web address/ },
    { changes: { terms_url: "javascript:alert(1)" }, text: /terms_url/ },
    { changes: { oauth2_type: "desktop" }, text: /oauth2_type/ },
    { changes: { permission_level: "write" }, text: /permission_level/ },
    { changes: { owner_id: "1" }, text: /there is no user 1/ },
    { changes: { colour: "red" }, text: /colour/ },
  ])("refuse $changes whole", async ({ changes, text }) => {
    const before = await fixture.sandbox.control.get(`/apps/${fixture.app.app_id}`);

    await expect(patch({ name: "changed", ...changes })).rejects.toThrow(text);
    expect(await fixture.sandbox.control.get(`/apps/${fixture.app.app_id}`)).toEqual(before);
  });

  it("take ten callback URLs", async () => {
    expect(await patch({ callback_urls: urls(10) })).toHaveProperty("callback_urls.length", 10);
  });
});

describe("Limits: apps per project", () => {
  it.each([
    { plan: "free", most: 1 },
    { plan: "basic", most: 2 },
    { plan: "pro", most: 3 },
  ])("a $plan project holds $most", async ({ plan, most }) => {
    const { control } = fixture.sandbox;
    const { project_id } = await control.post<{ project_id: string }>("/projects", {
      name: plan,
      plan,
    });
    for (let count = 0; count < most; count += 1) await control.app({ project_id });

    await expect(control.app({ project_id })).rejects.toThrow(`holds at most ${most} app`);
    await expect(patch({ project_id })).rejects.toThrow(/holds at most/);
    expect(await control.get("/projects")).toMatchObject({
      projects: expect.arrayContaining([{ project_id, name: plan, plan }]),
    });
  });
});

describe("Authentication: an app must belong to a project to call v2", () => {
  it("outside one it is refused there, and not on version 1.1", async () => {
    await patch({ project_id: null });
    const v2 = await fixture.asBot("GET", "/2/users/me");
    const app = await fixture.asApp("GET", "/2/users/by/username/alice");
    const v1 = await fixture.asBot("GET", "/1.1/account/verify_credentials.json");

    expect([v2.status, app.status, v1.status]).toEqual([403, 403, 200]);
    expect(v2.body).toMatchObject({
      title: "Client Forbidden",
      client_id: fixture.app.app_id,
      reason: "client-not-enrolled",
      type: expect.stringMatching(/\/2\/problems\/client-forbidden$/),
    });
  });
});

describe("Authentication: methods that are turned off", () => {
  it("OAuth 1.0a requests are refused while it is off", async () => {
    await patch({ oauth1: false });

    expect((await fixture.asBot("GET", "/2/users/me")).status).toBe(401);
  });
});

describe("Suspension", () => {
  it("refuses every call of the app until it is lifted", async () => {
    await patch({ suspended: true });
    const v2 = await fixture.asApp("GET", "/2/users/by/username/alice");
    const v1 = await fixture.asBot("GET", "/1.1/account/verify_credentials.json");
    await patch({ suspended: false });
    const after = await fixture.asBot("GET", "/2/users/me");

    expect(v2).toMatchObject({ status: 403, body: { title: "Client Forbidden" } });
    expect(v1).toMatchObject({ status: 403, body: { errors: [{ code: 416 }] } });
    expect(after.status).toBe(200);
  });
});

describe("App permission levels (OAuth 1.0a)", () => {
  it.each(["read", "read-write", "read-write-directmessages"])(
    "%s is in x-access-level",
    async (level) => {
      await patch({ permission_level: level });

      expect((await fixture.asBot("GET", "/2/users/me")).headers.get("x-access-level")).toBe(level);
    },
  );

  it("a change voids the tokens issued before; signing in again brings new ones", async () => {
    const { control } = fixture.sandbox;
    const old = await control.tokens(fixture.bot, fixture.app.app_id);
    await patch({ permission_level: "read" });
    await patch({ permission_level: "read-write-directmessages" });
    const fresh = await control.tokens(fixture.bot, fixture.app.app_id);

    expect(fresh.access_token).not.toBe(old.access_token);
    expect((await fixture.asBot("GET", "/2/users/me")).status).toBe(200);
  });

  it("a voided token is 401, and its user may still remove the app", async () => {
    const { control } = fixture.sandbox;
    const { access_token: token } = await control.tokens(fixture.bot, fixture.app.app_id);
    await patch({ permission_level: "read" });
    const url = `${fixture.sandbox.url}/2/users/me`;
    const header = `OAuth oauth_consumer_key="${fixture.app.consumer_key}", oauth_token="${token}", oauth_signature="x"`;

    expect((await send("GET", url, header)).status).toBe(401);
    expect(
      await control.call("DELETE", `/users/${fixture.bot}/apps/${fixture.app.app_id}`),
    ).toEqual({
      revoked: true,
    });
  });

  it("the same level again voids nothing", async () => {
    const { control } = fixture.sandbox;
    const old = await control.tokens(fixture.bot, fixture.app.app_id);
    await patch({ permission_level: "read-write-directmessages", name: "renamed" });

    expect(await control.tokens(fixture.bot, fixture.app.app_id)).toEqual(old);
  });
});

function urls(count: number): string[] {
  return Array.from({ length: count }, (_, fixture) => `https://app.example/${fixture}`);
}
