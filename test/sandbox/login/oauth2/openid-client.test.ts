import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  clientCredentialsGrant,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  fetchProtectedResource,
  None,
  randomPKCECodeVerifier,
  randomState,
  refreshTokenGrant,
  tokenRevocation,
} from "openid-client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { View } from "../../../support/browser.ts";
import { CALLBACK, type LoginClient, startLoginClient } from "../login-client.ts";

let fixture: LoginClient;
beforeEach(async () => {
  fixture = await startLoginClient();
});
afterEach(() => fixture.sandbox.close());

type OAuth2Type = "web" | "native";
type ClientAuthentication = ReturnType<typeof None>;

/** Configures the client for an app with its own OAuth 2.0 settings, as for any server without discovery. */
async function configure(
  oauth2_type: OAuth2Type = "web",
  authentication: (secret: string) => ClientAuthentication = ClientSecretBasic,
): Promise<Configuration> {
  const app = await fixture.sandbox.control.app({ callback_urls: [CALLBACK], oauth2_type });
  const secret = app.client_secret;
  return configuration(
    app.client_id,
    "/2/oauth2/token",
    secret === undefined ? None() : authentication(secret),
  );
}

function configuration(
  clientId: string,
  tokenPath: string,
  authentication: ClientAuthentication,
): Configuration {
  const { url } = fixture.sandbox;
  const server = {
    issuer: url,
    authorization_endpoint: `${url}/2/oauth2/authorize`,
    token_endpoint: url + tokenPath,
    revocation_endpoint: `${url}/2/oauth2/revoke`,
  };
  const config = new Configuration(server, clientId, undefined, authentication);
  // The sandbox has no TLS.
  allowInsecureRequests(config);
  return config;
}

/** A request for authorization, and the consent page that the person sees. */
interface Login {
  readonly page: View;
  readonly checks: { readonly pkceCodeVerifier: string; readonly expectedState: string };
}

async function begin(config: Configuration): Promise<Login> {
  const [pkceCodeVerifier, expectedState] = [randomPKCECodeVerifier(), randomState()];
  const link = buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: "tweet.read tweet.write users.read offline.access",
    code_challenge: await calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
    state: expectedState,
  });
  return {
    page: await fixture.browser.open(link.href),
    checks: { pkceCodeVerifier, expectedState },
  };
}

/** Logs the person in, and returns the tokens. */
async function logIn(config: Configuration) {
  const { page, checks } = await begin(config);
  return authorizationCodeGrant(config, callbackOf(await fixture.approve(page)), checks);
}

/** Returns the address at which the person's browser comes back to the app. */
function callbackOf(view: View): URL {
  if (view.location === undefined) throw new Error(`${view.url} does not redirect`);
  return view.location;
}

const me = (config: Configuration, token: string): Promise<Response> =>
  fetchProtectedResource(config, token, new URL(`${fixture.sandbox.url}/2/users/me`), "GET");

describe("npm openid-client, unmodified: OAuth 2.0 authorization", () => {
  it.each([
    ["by Basic header", "web", ClientSecretBasic],
    ["by secret in the form", "web", ClientSecretPost],
    ["without a secret", "native", ClientSecretBasic],
  ] as const)("logs in with PKCE, refreshes and revokes, %s", async (_name, type, by) => {
    const config = await configure(type, by);
    const first = await logIn(config);
    const second = await refreshTokenGrant(config, first.refresh_token ?? "");
    const answer = await me(config, second.access_token);
    await tokenRevocation(config, second.access_token);

    expect(first).toMatchObject({ token_type: "bearer", expires_in: 7200 });
    expect(first.scope).toBe("tweet.read tweet.write users.read offline.access");
    expect(second.access_token).not.toBe(first.access_token);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(await answer.json()).toMatchObject({ data: { id: fixture.ana, username: "ana" } });
    await expect(me(config, first.access_token)).rejects.toMatchObject({ status: 401 });
  });

  it("a refresh token works once", async () => {
    const config = await configure();
    const { refresh_token: token = "" } = await logIn(config);
    await refreshTokenGrant(config, token);

    await expect(refreshTokenGrant(config, token)).rejects.toMatchObject({
      status: 400,
      error: "invalid_request",
      error_description: "Value passed for the token was invalid.",
    });
  });

  it("a refresh narrows the scopes of the access token, and a later one widens them again", async () => {
    const config = await configure();
    const first = await logIn(config);
    const narrow = await refreshTokenGrant(config, first.refresh_token ?? "", {
      scope: "tweet.read users.read",
    });
    const refused = await post(config, narrow.access_token);
    const wide = await refreshTokenGrant(config, narrow.refresh_token ?? "");
    const accepted = await post(config, wide.access_token);
    const tooWide = refreshTokenGrant(config, wide.refresh_token ?? "", {
      scope: "tweet.read dm.read",
    });

    expect(narrow.scope).toBe("tweet.read users.read");
    expect([refused.status, accepted.status]).toEqual([403, 201]);
    await expect(tooWide).rejects.toMatchObject({ status: 400, error: "invalid_scope" });
  });

  it("a revoked refresh token ends its access token as well", async () => {
    const config = await configure();
    const { access_token: access, refresh_token: refresh = "" } = await logIn(config);
    await tokenRevocation(config, refresh, { token_type_hint: "refresh_token" });

    await expect(me(config, access)).rejects.toMatchObject({ status: 401 });
    await expect(refreshTokenGrant(config, refresh)).rejects.toMatchObject({ status: 400 });
  });

  it("reads a person's refusal, and the refusal of a wrong verifier", async () => {
    const config = await configure();
    const declined = await begin(config);
    const refusal = callbackOf(await fixture.browser.press(declined.page, "Cancel"));
    const approved = await begin(config);
    const callback = callbackOf(await fixture.approve(approved.page));

    await expect(authorizationCodeGrant(config, refusal, declined.checks)).rejects.toMatchObject({
      error: "access_denied",
    });
    await expect(
      authorizationCodeGrant(config, callback, {
        ...approved.checks,
        pkceCodeVerifier: randomPKCECodeVerifier(),
      }),
    ).rejects.toMatchObject({ status: 400, error: "invalid_request" });
  });

  it("reads the refusal of a wrong client secret", async () => {
    const right = await configure();
    const { page, checks } = await begin(right);
    const callback = callbackOf(await fixture.approve(page));
    const { client_id: clientId } = right.clientMetadata();
    const wrong = configuration(clientId, "/2/oauth2/token", ClientSecretBasic("guess"));

    await expect(authorizationCodeGrant(wrong, callback, checks)).rejects.toMatchObject({
      status: 401,
    });
  });
});

describe("npm openid-client, unmodified: app-only bearer token", () => {
  it("is the same until it is invalidated", async () => {
    const { consumer_key: key, consumer_secret: secret } = fixture.app;
    const config = configuration(key, "/oauth2/token", ClientSecretBasic(secret));
    const first = await clientCredentialsGrant(config);
    const second = await clientCredentialsGrant(config);

    expect(first).toMatchObject({ token_type: "bearer", access_token: fixture.app.bearer_token });
    expect(second.access_token).toBe(first.access_token);
  });
});

function post(config: Configuration, token: string): Promise<Response> {
  const url = new URL(`${fixture.sandbox.url}/2/tweets`);
  const headers = new Headers({ "content-type": "application/json" });
  return fetchProtectedResource(config, token, url, "POST", '{"text":"hello"}', headers);
}
