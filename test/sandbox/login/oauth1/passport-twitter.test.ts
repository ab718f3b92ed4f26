import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express, { type Express } from "express";
import session from "express-session";
import { Authenticator } from "passport";
import { type Profile, Strategy } from "passport-twitter";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Browser, type View } from "../../../support/browser.ts";
import { type LoginClient, startLoginClient, PASSWORD } from "../login-client.ts";

let fixture: LoginClient;
let site: Server;
let origin: string;
/** Browser of the person, on both sites. */
let browser: Browser;
let greeted: Profile | undefined;

beforeEach(async () => {
  site = createServer();
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const { port } = site.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  fixture = await startLoginClient({
    callback_urls: [`${origin}/callback`],
    permission_level: "read-write",
    email: true,
    terms_url: `${origin}/terms`,
    privacy_url: `${origin}/privacy`,
  });
  await fixture.sandbox.control.call("PATCH", `/users/${fixture.ana}`, {
    email: "ana@example.org",
  });
  browser = new Browser();
  greeted = undefined;
  site.on("request", website());
});
afterEach(async () => {
  await fixture.sandbox.close();
  site.closeAllConnections();
  await new Promise((resolve) => site.close(resolve));
});

/** Starts a website that signs people in with passport, as in its documentation. */
function website(): Express {
  const passport = new Authenticator();
  passport.use(
    new Strategy(
      {
        consumerKey: fixture.app.consumer_key,
        consumerSecret: fixture.app.consumer_secret,
        callbackURL: `${origin}/callback`,
        requestTokenURL: `${fixture.sandbox.url}/oauth/request_token`,
        accessTokenURL: `${fixture.sandbox.url}/oauth/access_token`,
        userAuthorizationURL: `${fixture.sandbox.url}/oauth/authenticate`,
        userProfileURL: `${fixture.sandbox.url}/1.1/account/verify_credentials.json`,
        includeEmail: true,
      },
      (_token, _secret, profile, done) => {
        greeted = profile;
        done(null, profile);
      },
    ),
  );
  const app = express();
  app.use(session({ secret: "test", resave: false, saveUninitialized: true }));
  app.get("/login", passport.authenticate("twitter", { session: false }));
  app.get(
    "/callback",
    passport.authenticate("twitter", { session: false, failureRedirect: "/refused" }),
    (_request, response) => {
      response.send("welcome");
    },
  );
  return app;
}

/** Follows the website's log-in link to the platform's page. */
async function toPlatform(): Promise<View> {
  const sent = await browser.open(`${origin}/login`);
  return browser.open(sent.location?.href ?? "");
}

describe("npm passport-twitter, unmodified", () => {
  it("logs a person in, profile, email and access level included", async () => {
    const page = await toPlatform();
    const back = await browser.press(page, "authorize", { Username: "ana", Password: PASSWORD });
    const welcome = await browser.open(back.location?.href ?? "");

    expect(welcome.text).toBe("welcome");
    expect(greeted).toMatchObject({
      provider: "twitter",
      id: fixture.ana,
      username: "ana",
      displayName: "Ana",
      emails: [{ value: "ana@example.org" }],
      _accessLevel: "read-write",
    });
  });

  it("lets a person through unasked the second time", async () => {
    const page = await toPlatform();
    const back = await browser.press(page, "authorize", { Username: "ana", Password: PASSWORD });
    await browser.open(back.location?.href ?? "");
    const second = await toPlatform();

    expect((await browser.open(second.location?.href ?? "")).text).toBe("welcome");
  });

  it("takes a refusal as a failed log-in", async () => {
    const back = await browser.press(await toPlatform(), "Cancel");
    const response = await browser.open(back.location?.href ?? "");

    expect(response.location?.pathname).toBe("/refused");
    expect(greeted).toBeUndefined();
  });
});
