import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { onlyForm, type View } from "../../../support/browser.ts";
import { CALLBACK, type LoginClient, startLoginClient, PASSWORD } from "../login-client.ts";

let fixture: LoginClient;
beforeEach(async () => {
  fixture = await startLoginClient({ name: "Tea & <Biscuits>", email: false });
});
afterEach(() => fixture.sandbox.close());

/** Signs Ana in and gives the app her access token, as in a first log-in. */
async function approvedBefore(): Promise<void> {
  const token = await fixture.requestToken();
  const { location } = await fixture.approve(await fixture.page(token.key));
  await fixture.exchange(token, location?.searchParams.get("oauth_verifier") ?? "");
}

const buttons = (view: View): string[] =>
  view.dom.querySelectorAll("button").map((button) => button.text.trim());

const labels = (view: View): string[] =>
  view.dom.querySelectorAll("label").map((label) => label.text);

describe("Log-in flow (OAuth 1.0a), case (c): not signed in", () => {
  it("asks for credentials and grant on one screen", async () => {
    const view = await fixture.page((await fixture.requestToken()).key);

    expect(view.status).toBe(200);
    expect(labels(view)).toEqual(["Username", "Password"]);
    expect(buttons(view)).toEqual(["Sign in and authorize app", "Cancel"]);
    expect(view.dom.querySelector(".may")?.text).toContain("read your direct messages");
  });

  it("leads back with the request token and a verifier", async () => {
    const token = await fixture.requestToken();
    const back = await fixture.approve(await fixture.page(token.key));

    expect(back.status).toBe(302);
    expect(back.location?.href).toMatch(
      new RegExp(`^${CALLBACK}\\?oauth_token=${token.key}&oauth_verifier=[A-Za-z0-9]+$`),
    );
  });

  it("still shows the permission list when access was granted before", async () => {
    await approvedBefore();
    fixture.browser.cookies.clear();
    const view = await fixture.page((await fixture.requestToken()).key);

    expect(labels(view)).toEqual(["Username", "Password"]);
    expect(view.dom.querySelector(".may")).not.toBeNull();
  });

  test.each([
    { fields: { Username: "ana", Password: "guess" }, why: "a wrong password" },
    { fields: { Username: "nobody", Password: PASSWORD }, why: "an unknown name" },
    { fields: {}, why: "nothing at all" },
  ])("keeps the screen, with a message, for $why", async ({ fields }) => {
    const token = await fixture.requestToken();
    const first = await fixture.page(token.key);
    const again = await fixture.browser.press(first, "authorize", fields);
    const back = await fixture.approve(again);

    expect(again.status).toBe(401);
    expect(again.dom.querySelector("[role=alert]")?.text).toMatch(/password/);
    expect(labels(again)).toEqual(["Username", "Password"]);
    expect(fixture.browser.cookies.size).toBe(1);
    expect(back.status).toBe(302);
  });

  it("shows errors beside the fields", async () => {
    const first = await fixture.page((await fixture.requestToken()).key);
    const again = await fixture.browser.press(first, "authorize", { Username: "ana" });

    const described = again.dom.querySelector("#password")?.getAttribute("aria-describedby");
    expect(again.dom.querySelector(`#${described}`)?.text).toMatch(/password/);
    expect(again.dom.querySelectorAll("[aria-invalid]")).toHaveLength(2);
  });

  it("lets people with the default password continue with one click", async () => {
    const ben = await fixture.sandbox.control.user("ben");
    const token = await fixture.requestToken();
    const view = await fixture.page(token.key);
    const back = await fixture.browser.press(view, "@ben", { Username: "ana", Password: "guess" });
    const verifier = back.location?.searchParams.get("oauth_verifier") ?? "";

    expect(buttons(view)).toEqual(["Sign in and authorize app", "Cancel", "@ben"]);
    expect((await fixture.exchange(token, verifier)).form.get("user_id")).toBe(ben);
  });

  test.each([
    { as: "ana", more: "", why: "who has a password of their own" },
    { as: "nobody", more: "", why: "who is not there" },
    { as: "ben", more: "&force_login=true", why: "where the app requires a new sign-in" },
  ])("lets nobody go on $why", async ({ as, more }) => {
    await fixture.sandbox.control.user("ben");
    const token = await fixture.requestToken();
    const view = await fixture.page(token.key, "authenticate", more);
    const form = onlyForm(view);
    const body = new URLSearchParams({ oauth_token: token.key, continue_as: as });
    if (more !== "") body.set("force_login", "true");
    const url = new URL(form.getAttribute("action") ?? "", view.url).href;
    const again = await fixture.browser.open(url, { method: "POST", body });

    expect(buttons(view)).not.toContain(`@${as}`);
    expect(again.status).toBe(401);
  });

  it("fills in screen_name", async () => {
    const view = await fixture.page(
      (await fixture.requestToken()).key,
      "authenticate",
      "&screen_name=ana",
    );

    expect(view.dom.querySelector("#username")?.getAttribute("value")).toBe("ana");
  });
});

describe("Log-in flow (OAuth 1.0a), case (b): signed in, not approved", () => {
  it("asks for approval only", async () => {
    const first = await fixture.requestToken();
    await fixture.approve(await fixture.page(first.key));
    const token = await fixture.requestToken();
    const view = await fixture.page(token.key);
    const back = await fixture.browser.press(view, "Authorize");

    expect(labels(view)).toEqual([]);
    expect(buttons(view)).toEqual(["Authorize app", "Cancel"]);
    expect(view.text).toContain("@ana");
    expect(back.location?.searchParams.get("oauth_token")).toBe(token.key);
  });

  it("asks again after the app's level changed", async () => {
    await approvedBefore();
    await fixture.sandbox.control.call("PATCH", `/apps/${fixture.app.app_id}`, {
      permission_level: "read",
    });

    expect((await fixture.page((await fixture.requestToken()).key)).status).toBe(200);
  });
});

describe("Log-in flow (OAuth 1.0a), case (a): signed in and approved", () => {
  it("leads back at once from authenticate", async () => {
    await approvedBefore();
    const token = await fixture.requestToken();
    const back = await fixture.page(token.key);
    const response = await fixture.exchange(
      token,
      back.location?.searchParams.get("oauth_verifier") ?? "",
    );

    expect(back.status).toBe(302);
    expect(response.form.get("screen_name")).toBe("ana");
  });

  it("asks nevertheless at authorize", async () => {
    await approvedBefore();

    expect((await fixture.page((await fixture.requestToken()).key, "authorize")).status).toBe(200);
  });

  it("asks for credentials when the app forces a sign-in", async () => {
    await approvedBefore();
    const more = "&force_login=true";
    const view = await fixture.page((await fixture.requestToken()).key, "authenticate", more);
    const bare = await fixture.browser.press(view, "authorize");

    expect(labels(view)).toEqual(["Username", "Password"]);
    expect(bare.status).toBe(401);
  });

  it("asks when the app has no sign-in setting", async () => {
    await approvedBefore();
    await fixture.sandbox.control.call("PATCH", `/apps/${fixture.app.app_id}`, { sign_in: false });

    expect((await fixture.page((await fixture.requestToken()).key)).status).toBe(200);
  });

  it("asks again after the user removed the app", async () => {
    await approvedBefore();
    await fixture.sandbox.control.call(
      "DELETE",
      `/users/${fixture.ana}/apps/${fixture.app.app_id}`,
    );

    expect((await fixture.page((await fixture.requestToken()).key)).status).toBe(200);
  });

  it("asks after 30 days, when the browser is signed out", async () => {
    await approvedBefore();
    await fixture.sandbox.control.advance(30 * 86_400_000);

    expect(labels(await fixture.page((await fixture.requestToken()).key))).toEqual([
      "Username",
      "Password",
    ]);
  });
});

describe("refusing", () => {
  it("leads back with denied, without signing in, and ends the log-in", async () => {
    const token = await fixture.requestToken();
    const view = await fixture.page(token.key);
    const back = await fixture.browser.press(view, "Cancel");

    expect(back.location?.href).toBe(`${CALLBACK}?denied=${token.key}`);
    expect((await fixture.page(token.key)).status).toBe(400);
  });
});

describe("PIN", () => {
  it("has seven digits and is exchanged like a verifier", async () => {
    const token = await fixture.requestToken("oob");
    const view = await fixture.approve(await fixture.page(token.key, "authorize"));
    const pin = view.dom.querySelector("#oauth_pin")?.text ?? "";
    const response = await fixture.exchange(token, pin);

    expect(view.status).toBe(200);
    expect(pin).toMatch(/^\d{7}$/);
    expect(response.form.get("user_id")).toBe(fixture.ana);
  });

  it("has a page for a refusal, since there is nowhere to go back to", async () => {
    const view = await fixture.page((await fixture.requestToken("oob")).key, "authorize");
    const response = await fixture.browser.press(view, "Cancel");

    expect(response.status).toBe(200);
    expect(response.dom.querySelector("h1")?.text).toBe("You did not authorize the app");
  });
});

describe("callback URLs", () => {
  it.each([
    { url: "https://app.example/cb?next=%2Fhome", starts: "https://app.example/cb?next=%2Fhome&" },
    { url: "http://127.0.0.1:3000/cb", starts: "http://127.0.0.1:3000/cb?" },
    { url: "myapp://login/done", starts: "myapp://login/done?" },
    { url: "https://app.example/cb#top", starts: "https://app.example/cb?" },
  ])("keep what they hold: $url", async ({ url, starts }) => {
    await fixture.sandbox.control.call("PATCH", `/apps/${fixture.app.app_id}`, {
      callback_urls: [url],
    });
    const view = await fixture.page((await fixture.requestToken(url)).key);
    const back = await fixture.approve(view);

    expect(back.headers.get("location")).toContain(`${starts}oauth_token=`);
  });
});

describe("the pages", () => {
  it.each([
    "/oauth/authenticate",
    "/oauth/authorize",
    "/i/oauth/authenticate",
    "/i/oauth/authorize",
  ])("are served at %s", async (path) => {
    const { key } = await fixture.requestToken();
    const view = await fixture.browser.open(`${fixture.sandbox.url}${path}?oauth_token=${key}`);

    expect(view.status).toBe(200);
    expect((await fixture.approve(view)).status).toBe(302);
  });

  it("hold one form that posts, a language, a title, the sandbox's band, and no script", async () => {
    const view = await fixture.page((await fixture.requestToken()).key);

    expect(onlyForm(view).getAttribute("method")).toBe("post");
    expect(view.dom.querySelector("html")?.getAttribute("lang")).toBe("en");
    expect(view.dom.querySelector("title")?.text).toContain("Authorize Tea");
    expect(view.dom.querySelector(".band")?.text).toContain("Sandbox");
    expect(view.dom.querySelectorAll("script")).toEqual([]);
    expect(view.headers.get("cache-control")).toBe("no-store");
    expect(view.headers.get("x-frame-options")).toBe("DENY");
    expect(view.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("lets nothing run or load but its own style, which its policy names by its hash", async () => {
    const view = await fixture.page((await fixture.requestToken()).key);
    const [, style = ""] = /<style>([^]*?)<\/style>/.exec(view.text) ?? [];
    const hash = createHash("sha256").update(style).digest("base64");

    expect(style).toContain("color-scheme");
    expect(view.headers.get("content-security-policy")?.split("; ")).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      "img-src data:",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]);
  });

  it("escape texts of apps and people", async () => {
    const more = `&screen_name=${encodeURIComponent('"><script>')}`;
    const view = await fixture.page((await fixture.requestToken()).key, "authenticate", more);

    expect(view.text).toContain("Tea &amp; &lt;Biscuits&gt;");
    expect(view.text).not.toContain("<script>");
    expect(view.text).not.toContain("<Biscuits>");
  });

  it("show the app's details", async () => {
    await fixture.sandbox.control.call("PATCH", `/apps/${fixture.app.app_id}`, {
      description: "Counts cups.",
      organization_name: "Tea House",
      organization_url: "https://tea.example/",
      terms_url: "https://tea.example/terms",
      privacy_url: "https://tea.example/privacy",
      email: true,
      permission_level: "read",
    });
    const view = await fixture.page((await fixture.requestToken()).key);

    expect(view.dom.querySelectorAll("a").map((link) => link.getAttribute("href"))).toEqual([
      "https://tea.example/",
      "https://tea.example/terms",
      "https://tea.example/privacy",
    ]);
    expect(view.text).toContain("Counts cups.");
    expect(view.dom.querySelector(".may")?.text).toContain("see your email address");
    expect(view.dom.querySelector(".may-not")?.text).toContain("send and delete direct messages");
  });

  it.each([
    { oauthToken: "", why: "no request token" },
    { oauthToken: "nonsense", why: "an unknown one" },
  ])("say what to do with $why", async ({ oauthToken }) => {
    const view = await fixture.page(oauthToken);

    expect(view.status).toBe(400);
    expect(view.text).toContain("Go back to the app and start again");
  });

  it("say that a request token has expired, or was used", async () => {
    const [old, used] = [await fixture.requestToken(), await fixture.requestToken()];
    await fixture.approve(await fixture.page(used.key));
    const again = await fixture.page(used.key);
    await fixture.sandbox.control.advance(15 * 60_000);
    const late = await fixture.page(old.key);

    expect([again.status, late.status]).toEqual([400, 400]);
    expect(late.text).toContain("expired");
  });

  it("refuse for a suspended app", async () => {
    const { key } = await fixture.requestToken();
    await fixture.sandbox.control.call("PATCH", `/apps/${fixture.app.app_id}`, { suspended: true });

    expect((await fixture.page(key)).status).toBe(403);
  });
});

describe("the session", () => {
  it("is a cookie that scripts and other sites' forms do not get", async () => {
    const view = await fixture.page((await fixture.requestToken()).key);
    const back = await fixture.approve(view);

    expect(view.headers.get("set-cookie")).toBeNull();
    expect(back.headers.get("set-cookie")).toMatch(
      /^sandbox_session=[A-Za-z0-9]{40}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/,
    );
  });

  it.each([
    { headers: { origin: "https://evil.example" }, why: "another origin" },
    { headers: { origin: "null" }, why: "a hidden origin" },
    { headers: { "sec-fetch-site": "cross-site" }, why: "another site" },
    { headers: { "sec-fetch-site": "same-site" }, why: "a neighbour" },
  ])("does not carry a form from $why", async ({ headers }) => {
    await fixture.approve(await fixture.page((await fixture.requestToken()).key));
    const view = await fixture.page((await fixture.requestToken()).key);
    const response = await fixture.browser.press(view, "Authorize", {}, headers);

    expect(response.status).toBe(403);
    expect(response.location).toBeUndefined();
  });

  it("carries a form from the page itself", async () => {
    await fixture.approve(await fixture.page((await fixture.requestToken()).key));
    const view = await fixture.page((await fixture.requestToken()).key);
    const headers = { origin: fixture.sandbox.url, "sec-fetch-site": "same-origin" };

    expect((await fixture.browser.press(view, "Authorize", {}, headers)).status).toBe(302);
  });

  it("does not carry a form without its key", async () => {
    await fixture.approve(await fixture.page((await fixture.requestToken()).key));
    const { key } = await fixture.requestToken();
    const response = await fixture.browser.open(`${fixture.sandbox.url}/oauth/authorize`, {
      method: "POST",
      body: new URLSearchParams({ oauth_token: key, decision: "allow" }),
    });

    expect(response.status).toBe(403);
    expect(buttons(response)).toEqual(["Authorize app", "Cancel"]);
  });
});
