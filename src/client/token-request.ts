import { attempt } from "./attempt.ts";
import type { OAuth2Tokens } from "./credentials.ts";
import { ProtocolError } from "./errors.ts";
import { isFields } from "./problem.ts";
import type { Settings } from "./settings.ts";

/** The OAuth 2.0 app that asks. */
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
  const pair = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

/** Posts a form to an OAuth 2.0 endpoint, as the confidential or public client that the app is. */
export async function postForm(
  settings: Settings,
  path: string,
  app: OAuth2App,
  form: Readonly<Record<string, string>>,
  options: LoginCallOptions = {},
): Promise<Readonly<Record<string, unknown>>> {
  const endpoint = `POST ${path}`;
  const { clientId, clientSecret } = app;
  const body = new URLSearchParams(
    clientSecret === undefined ? { ...form, client_id: clientId } : form,
  );
  const answer = await attempt(
    settings.dispatcher,
    {
      url: endpointUrl(settings.baseUrl, path),
      method: "POST",
      headers: {
        accept: "application/json",
        "content-type": "application/x-www-form-urlencoded",
        ...(clientSecret === undefined ? {} : { authorization: basic(clientId, clientSecret) }),
      },
      body: body.toString(),
    },
    {
      endpoint,
      safe: false,
      afterUnknown: false,
      timeoutMs: options.timeoutMs ?? settings.timeoutMs,
      signal: options.signal,
      beforeWrite: undefined,
      secrets: [...Object.values(form), clientSecret ?? ""],
    },
  );
  return jsonFields(answer.text, endpoint, answer.status);
}

/** Joins a path to a base URL that may have a prefix of its own. */
export function endpointUrl(base: URL, path: string): URL {
  return new URL(base.origin + base.pathname.replace(/\/$/, "") + path);
}

/**
 * An answer's JSON object.
 *
 * @throws ProtocolError when it is none.
 */
export function jsonFields(
  text: string,
  endpoint: string,
  status: number,
): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ProtocolError(`${endpoint} answered no JSON`, { endpoint, status, cause });
  }
  if (!isFields(value)) {
    throw new ProtocolError(`${endpoint} answered JSON that is no object`, { endpoint, status });
  }
  return value;
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
    throw new ProtocolError(`${endpoint} answered no access_token`, { endpoint, status: 200 });
  }
  return {
    accessToken,
    refreshToken: typeof refreshToken === "string" ? refreshToken : undefined,
    expiresAt: typeof expiresIn === "number" ? now + expiresIn * 1000 : undefined,
    scopes: typeof scope === "string" ? scope.split(" ").filter((name) => name !== "") : [],
  };
}
