import { type Accepted, attempt } from "../http/attempt.ts";
import { encodeParams, endpointUrl, percentEncode } from "../http/url.ts";
import type { OAuth2Tokens } from "./credentials.ts";
import { ProtocolError } from "../errors.ts";
import { jsonFields } from "../http/json-fields.ts";
import type { ClientSettings } from "../settings.ts";

/** The OAuth 2.0 app that sends the request. */
export interface OAuth2App {
  readonly clientId: string;
  /** Secret of a confidential client; public clients have none. */
  readonly clientSecret?: string | undefined;
}

/** Options of a log-in request. */
export interface LoginCallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

/**
 * Returns the `Authorization` header for `Basic` credentials. The user and the password are encoded first, as RFC 6749,
 * section 2.3.1, requires.
 */
export function basic(user: string, password: string): string {
  const pair = `${percentEncode(user)}:${percentEncode(password)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

/** Form of a log-in request and its authorization. */
export interface LoginForm {
  readonly path: string;
  readonly form: Readonly<Record<string, string>>;
  readonly authorization: string | undefined;
  /** Texts to redact from error messages. */
  readonly secrets: readonly string[];
}

/**
 * Sends a log-in form once and returns the response. Log-in requests are never retried, because the first attempt uses
 * up codes, verifiers and refresh tokens.
 */
export async function postForm(
  settings: ClientSettings,
  { path, form, authorization, secrets }: LoginForm,
  options: LoginCallOptions = {},
): Promise<Accepted> {
  return attempt(
    settings.dispatcher,
    {
      url: endpointUrl(settings.baseUrl, path),
      method: "POST",
      headers: {
        accept: "application/json",
        "content-type": "application/x-www-form-urlencoded",
        ...(authorization === undefined ? {} : { authorization }),
      },
      body: encodeParams(form),
    },
    {
      endpoint: `POST ${path}`,
      safe: false,
      afterUnknown: false,
      timeoutMs: options.timeoutMs ?? settings.timeoutMs,
      signal: options.signal,
      beforeWrite: undefined,
      now: () => settings.platformTime.now(),
      secrets,
      onHeaders: (headers, ms) => settings.platformTime.learn(headers, ms),
    },
  );
}

/**
 * Posts a form to an OAuth 2.0 endpoint: with `Basic` credentials if the app has a secret, else with the app's
 * `client_id` in the form.
 */
export async function postOAuth2(
  settings: ClientSettings,
  path: string,
  { clientId, clientSecret }: OAuth2App,
  form: Readonly<Record<string, string>>,
  options: LoginCallOptions = {},
): Promise<Readonly<Record<string, unknown>>> {
  const isPublic = clientSecret === undefined;
  const request: LoginForm = {
    path,
    form: isPublic ? { ...form, client_id: clientId } : form,
    authorization: isPublic ? undefined : basic(clientId, clientSecret),
    secrets: [form["refresh_token"], form["code"], form["token"], clientSecret].filter(
      (secret) => secret !== undefined,
    ),
  };
  const answer = await postForm(settings, request, options);
  return jsonFields(answer.text, `POST ${path}`, answer.status);
}

/**
 * Reads the tokens in an OAuth 2.0 response.
 *
 * @param now Time of the response, in milliseconds since 1970.
 * @throws ProtocolError if the response has no access token.
 */
export function readTokens(
  fields: Readonly<Record<string, unknown>>,
  now: number,
  endpoint: string,
): OAuth2Tokens {
  const { access_token: accessToken, refresh_token: refreshToken } = fields;
  const { expires_in: expiresIn, scope } = fields;
  if (typeof accessToken !== "string") {
    throw new ProtocolError(`${endpoint} answered without access_token`, { endpoint, status: 200 });
  }
  return {
    accessToken,
    refreshToken: typeof refreshToken === "string" ? refreshToken : undefined,
    expiresAt: typeof expiresIn === "number" ? now + expiresIn * 1000 : undefined,
    scopes: typeof scope === "string" ? scope.split(" ").filter((name) => name !== "") : [],
  };
}
