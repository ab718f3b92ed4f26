import { createHash, createHmac, randomBytes, randomUUID } from "node:crypto";
import OAuth from "oauth-1.0a";
import {
  type RunningSandbox,
  type SandboxOptions,
  startSandbox,
} from "../../../src/sandbox/index.ts";
import { Browser, type View } from "../../support/browser.ts";

export const CALLBACK = "https://app.example/callback";
export const PASSWORD = "correct horse";

type Credentials = Awaited<ReturnType<RunningSandbox["control"]["app"]>>;

/** A response, whose body can be read as text, form or JSON. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly form: URLSearchParams;
  readonly json: () => unknown;
}

/** A sandbox with an app that people sign in to, and a person with a browser. */
export interface LoginClient {
  readonly sandbox: RunningSandbox;
  readonly app: Credentials;
  readonly ana: string;
  readonly browser: Browser;
  /** Returns the `Authorization` header of a request, signed with the app's secret and with a token's if passed. */
  authorization(
    method: string,
    path: string,
    params: Record<string, string>,
    token?: { readonly key: string; readonly secret: string },
  ): { authorization: string };
  /** Sends a request signed with the app's secret, and with a token's if one is passed. */
  signed(
    method: string,
    path: string,
    params?: Record<string, string>,
    token?: { readonly key: string; readonly secret: string },
    headers?: Record<string, string>,
  ): Promise<Reply>;
  /** Requests a request token (step 1). */
  requestToken(callback?: string): Promise<{ key: string; secret: string }>;
  /** Opens the consent page (step 2). */
  page(key: string, mode?: string, more?: string): Promise<View>;
  /** Signs in and approves, on one page. */
  approve(view: View): Promise<View>;
  /** Exchanges the verifier for an access token (step 3). */
  exchange(token: { key: string; secret: string }, verifier: string): Promise<Reply>;
  /** Opens the consent page of OAuth 2.0's code flow, with the app's callback and the PKCE challenge `CHALLENGE`. */
  authorize(changes?: Readonly<Record<string, string | undefined>>): Promise<View>;
  /** Posts a form to an OAuth 2.0 endpoint. */
  post(
    path: string,
    params: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<Reply>;
}

export const VERIFIER = "v".repeat(43);
export const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

export async function startLoginClient(
  appSpec: Readonly<Record<string, unknown>> = {},
  options: SandboxOptions = {},
): Promise<LoginClient> {
  const sandbox = await startSandbox(options);
  const app = await sandbox.control.app({ callback_urls: [CALLBACK], ...appSpec });
  const ana = await sandbox.control.user("ana", { name: "Ana", password: PASSWORD });
  const browser = new Browser();
  const signed: LoginClient["signed"] = (method, path, params = {}, token, headers = {}) =>
    read(
      fetch(sandbox.url + path, {
        method,
        headers: { ...header(app, method, sandbox.url + path, params, token), ...headers },
        ...(method === "GET" ? {} : { body: new URLSearchParams(params) }),
      }),
    );
  return {
    sandbox,
    app,
    ana,
    browser,
    authorization: (method, path, params, token) =>
      header(app, method, sandbox.url + path, params, token),
    signed,
    async requestToken(callback = CALLBACK) {
      const { form } = await signed("POST", "/oauth/request_token", { oauth_callback: callback });
      return { key: form.get("oauth_token") ?? "", secret: form.get("oauth_token_secret") ?? "" };
    },
    page: (key, mode = "authenticate", more = "") =>
      browser.open(`${sandbox.url}/oauth/${mode}?oauth_token=${key}${more}`),
    approve: (view) => browser.press(view, "authorize", { Username: "ana", Password: PASSWORD }),
    exchange: (token, verifier) =>
      signed("POST", "/oauth/access_token", { oauth_verifier: verifier }, token),
    authorize(changes = {}) {
      const params = new URLSearchParams();
      const changed = { ...codeRequest(app.client_id), ...changes };
      for (const [name, value] of Object.entries(changed)) {
        if (value !== undefined) params.set(name, value);
      }
      return browser.open(`${sandbox.url}/2/oauth2/authorize?${params.toString()}`);
    },
    post: (path, params, headers = {}) =>
      read(
        fetch(sandbox.url + path, {
          method: "POST",
          headers,
          body: new URLSearchParams(params),
        }),
      ),
  };
}

/** Formats `Authorization: Basic` for a name and a secret. */
export function basic(name: string, secret: string): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString("base64")}` };
}

function codeRequest(clientId: string): Record<string, string | undefined> {
  return {
    response_type: "code",
    client_id: clientId,
    redirect_uri: CALLBACK,
    scope: "tweet.read users.read offline.access",
    state: "s-1",
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
  };
}

function header(
  app: Credentials,
  method: string,
  url: string,
  data: Record<string, string>,
  token?: { readonly key: string; readonly secret: string },
): { authorization: string } {
  const oauth = new OAuth({
    consumer: { key: app.consumer_key, secret: app.consumer_secret },
    signature_method: "HMAC-SHA1",
    hash_function: (base, key) => createHmac("sha1", key).update(base).digest("base64"),
  });
  // The sandbox takes any ASCII nonce, base64 ones too.
  oauth.getNonce = () => randomBytes(16).toString("base64") + randomUUID();
  const { Authorization } = oauth.toHeader(oauth.authorize({ url, method, data }, token));
  return { authorization: Authorization };
}

async function read(response: Promise<Response>): Promise<Reply> {
  const { status, headers, ...rest } = await response.then(async (received) => ({
    status: received.status,
    headers: received.headers,
    text: await received.text(),
  }));
  return {
    status,
    headers,
    text: rest.text,
    form: new URLSearchParams(rest.text),
    json: (): unknown => JSON.parse(rest.text),
  };
}
