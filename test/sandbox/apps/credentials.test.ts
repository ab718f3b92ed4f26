import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { send, signed, startTestSandbox, type TestSandbox } from "../support/test-sandbox.ts";

let fixture: TestSandbox;
beforeEach(async () => {
  fixture = await startTestSandbox();
});
afterEach(() => fixture.close());

type Wire = Record<string, string>;

const change = (kind: string, what: string): Promise<Wire> =>
  fixture.sandbox.control.post(`/apps/${fixture.app.app_id}/credentials`, { kind, do: what });

const hints = async (): Promise<Wire> => {
  const app = await fixture.sandbox.control.get<{ key_hints: Wire }>(`/apps/${fixture.app.app_id}`);
  return app.key_hints;
};

describe("Developer app settings: credentials", () => {
  it("have hints that match the values shown once", async () => {
    expect(await hints()).toEqual({
      consumer_key: fixture.app.consumer_key.slice(-6),
      bearer_token: fixture.app.bearer_token.slice(-6),
      client_secret: fixture.app.client_secret?.slice(-6),
    });
  });

  it("a regenerated bearer token works, and the old one no longer", async () => {
    const { bearer_token: fresh = "" } = await change("bearer", "regenerate");
    const url = `${fixture.sandbox.url}/2/users/by/username/alice`;

    expect((await send("GET", url, `Bearer ${fixture.app.bearer_token}`)).status).toBe(401);
    expect((await send("GET", url, `Bearer ${fresh}`)).status).toBe(200);
    expect(await hints()).toHaveProperty("bearer_token", fresh.slice(-6));
  });

  it("a regenerated key and secret sign, with the users' tokens, and the old ones no longer", async () => {
    const tokens = await fixture.sandbox.control.tokens(fixture.bot, fixture.app.app_id);
    const fresh = await change("api_key", "regenerate");
    const url = `${fixture.sandbox.url}/2/users/me`;
    const old = await send("GET", url, signed(fixture.app, tokens, "GET", url));
    const app = { ...fixture.app, ...fresh };

    expect(old.status).toBe(401);
    expect((await send("GET", url, signed(app, tokens, "GET", url))).status).toBe(200);
  });

  it("the portal's access token acts for the app's owner", async () => {
    await fixture.sandbox.control.call("PATCH", `/apps/${fixture.app.app_id}`, {
      owner_id: fixture.person,
    });
    const issued = await change("access_token", "regenerate");
    const url = `${fixture.sandbox.url}/2/users/me`;
    const tokens = {
      access_token: issued["access_token"] ?? "",
      access_token_secret: issued["access_token_secret"] ?? "",
    };
    const me = await send("GET", url, signed(fixture.app, tokens, "GET", url));
    await change("access_token", "revoke");
    const after = await send("GET", url, signed(fixture.app, tokens, "GET", url));

    expect(me.body).toMatchObject({ data: { username: "alice" } });
    expect(after.status).toBe(401);
  });

  it("an app without an owner gets a developer account", async () => {
    const issued = await change("access_token", "regenerate");
    const app = await fixture.sandbox.control.get<Wire>(`/apps/${fixture.app.app_id}`);

    expect(issued["access_token"]?.split("-")[0]).toBe(app["owner_id"]);
    expect(await hints()).toHaveProperty("access_token", issued["access_token"]?.slice(-6));
  });

  it("a client secret is regenerated for a confidential app, and refused to a public one", async () => {
    const fresh = await change("client_secret", "regenerate");
    await fixture.sandbox.control.call("PATCH", `/apps/${fixture.app.app_id}`, {
      oauth2_type: "spa",
    });

    expect(fresh).toEqual({
      client_id: fixture.app.client_id,
      client_secret: expect.stringMatching(/^[A-Za-z0-9]{50}$/),
    });
    expect(fresh["client_secret"]).not.toBe(fixture.app.client_secret);
    await expect(change("client_secret", "regenerate")).rejects.toThrow(/no client secret/);
    expect(await hints()).not.toHaveProperty("client_secret");
  });

  test.each([
    { kind: "api_key", hint: "consumer_key" },
    { kind: "bearer", hint: "bearer_token" },
    { kind: "client_secret", hint: "client_secret" },
  ])("a revoked $kind has no hint and no use", async ({ kind, hint }) => {
    expect(await change(kind, "revoke")).toEqual({ revoked: true });
    expect(await hints()).not.toHaveProperty(hint);
  });

  it("a revoked or empty key authenticates no one", async () => {
    await change("api_key", "revoke");
    const url = `${fixture.sandbox.url}/2/users/me`;
    const empty = { ...fixture.app, consumer_key: "", consumer_secret: "" };
    const tokens = await fixture.sandbox.control.tokens(fixture.bot, fixture.app.app_id);

    expect((await send("GET", url, signed(empty, tokens, "GET", url))).status).toBe(401);
  });

  test.each([
    { kind: "password", do: "revoke" },
    { kind: "bearer", do: "show" },
  ])("refuses %o", async ({ kind, do: what }) => {
    await expect(change(kind, what)).rejects.toThrow(/kind|do/);
  });
});
