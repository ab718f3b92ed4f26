import { checkKeys } from "../auth/check-credentials.ts";
import type { BearerCredentials } from "../auth/credentials.ts";
import { ProtocolError } from "../errors.ts";
import { type ConnectionOptions, resolveSettings } from "../settings.ts";
import { LOGIN_PATHS } from "../auth/login-paths.ts";
import { jsonFields } from "../http/json-fields.ts";
import { basic, type LoginCallOptions, postForm } from "../auth/token-request.ts";

/** The app that requests its own token. */
export interface AppOnlyOptions extends ConnectionOptions {
  readonly consumerKey: string;
  readonly consumerSecret: string;
}

/**
 * Returns the app's bearer token for its consumer key and secret. The platform returns the same token until it is
 * invalidated.
 *
 * @throws PlatformError with `v1Code` 99 in its refusal if the key and secret do not match.
 *
 * @example
 * const credentials = await appOnlyToken({ baseUrl, consumerKey, consumerSecret });
 * const client = createClient({ baseUrl, credentials });
 */
export async function appOnlyToken(
  options: AppOnlyOptions,
  call?: LoginCallOptions,
): Promise<BearerCredentials> {
  const bearerToken = await tokenFrom(LOGIN_PATHS.appToken, options, CLIENT, call);
  return { type: "bearer", bearerToken };
}

const CLIENT = { grant_type: "client_credentials" } as const;

/** Invalidates the app's bearer token; the next {@link appOnlyToken} returns a new one. */
export async function invalidateAppOnlyToken(
  bearerToken: string,
  options: AppOnlyOptions,
  call?: LoginCallOptions,
): Promise<void> {
  const form = { access_token: bearerToken };
  await tokenFrom(LOGIN_PATHS.invalidateAppToken, options, form, call);
}

async function tokenFrom(
  path: string,
  options: AppOnlyOptions,
  form: Readonly<Record<string, string>>,
  call: LoginCallOptions | undefined,
): Promise<string> {
  const settings = resolveSettings(options);
  const { consumerKey, consumerSecret } = options;
  checkKeys("the app's keys", { consumerKey, consumerSecret }, [settings.baseUrl]);
  try {
    const authorization = basic(consumerKey, consumerSecret);
    const secrets = [consumerSecret, form["access_token"] ?? ""];
    const answer = await postForm(settings, { path, form, authorization, secrets }, call);
    const endpoint = `POST ${path}`;
    const token = jsonFields(answer.text, endpoint, answer.status)["access_token"];
    if (typeof token === "string") return token;
    throw new ProtocolError(`${endpoint} answered without access_token`, { endpoint, status: 200 });
  } finally {
    await settings.close();
  }
}
