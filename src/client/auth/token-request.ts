import { type Accepted, attempt } from "../http/attempt.ts";
import { encodeParams, endpointUrl, percentEncode } from "../http/url.ts";
import type { OAuth2Tokens } from "./credentials.ts";
import { ProtocolError } from "../errors.ts";
import { jsonFields } from "../http/json-fields.ts";
import type { ClientSettings } from "../settings.ts";

/** The OAuth 2.0 app that sends the request. */
export interface OAuth2App {
  readonly clientId: string;
  /** Only confidential clients have one. */
  readonly clientSecret?: string | undefined;
}

/** Options of one request of a log-in. */
export interface LoginCallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

/** `Basic` credentials; both halves form-encoded first, as RFC 6749 section 2.3.1 has it. */
export function basic(user: string, password: string): string {
  const pair = `${percentEncode(user)}:${percentEncode(password)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

/** A form of a log-in, and how it is authorized. */
export interface LoginForm {
  readonly path: string;
  readonly form: Readonly<Record<string, string>>;
  readonly authorization: string | undefined;
  /** Must not appear in a message. */
  readonly secrets: readonly string[];
}

/**
 * Posts a form of a log-in once and returns the answer; log-in requests are never retried,
 * because codes, verifiers and refresh tokens are used up by the first try.
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
      secrets,
      onHeaders: (headers, ms) => settings.platformTime.learn(headers, ms),
    },
  );
}

/** Posts to an OAuth 2.0 endpoint as the confidential or public client that the app is. */
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
 * Reads a token answer.
 *
 * @throws ProtocolError when it holds no access token.
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
