import { createOAuth1Login } from "../../../client/login/oauth1.ts";
import { PlatformError } from "../../../client/errors.ts";
import type { PlatformTarget } from "../../target/target.ts";
import { type Finding, fail, failed, ok } from "../finding.ts";

/** The platform's error code for a callback that is not on the app's list. */
const NOT_ALLOWED = 415;

/** Whether the platform accepts the app's bearer token. */
export async function checkBearer({ app, access }: PlatformTarget): Promise<Finding> {
  try {
    await app.activity.count();
    return ok("app", `${access.baseUrl} takes the app's bearer token`);
  } catch (error) {
    const isRefused = error instanceof PlatformError && !error.isFromProxy;
    if (isRefused && (error.status === 401 || error.status === 403)) {
      const fix =
        "copy the bearer token from the portal's Keys and tokens into .env: BEARER_TOKEN; webhooks need a plan that has them";
      return fail("app", `the platform refuses the app's bearer token: ${error.message}`, fix);
    }
    return failed("app", error, `check platform.base_url: ${access.baseUrl}`);
  }
}

/** Checks whether the platform accepts the app's key and secret, and the exact callback URL of `login`. */
export async function checkKeysAndCallback(
  { access }: PlatformTarget,
  callback: string,
): Promise<readonly Finding[]> {
  const login = createOAuth1Login(access);
  const asks = async (url: string): Promise<unknown> =>
    login.begin(url).then(
      () => undefined,
      (error: unknown) => error,
    );
  try {
    const error = await asks(callback);
    const keys = ok("keys", "the platform takes requests signed with API key and secret");
    if (error === undefined) return [keys, ok("callback", `${callback} is approved`)];
    if (!isNotAllowed(error)) return [refusedKeys(error)];
    const listed: string[] = [];
    for (const other of nearby(callback)) if ((await asks(other)) === undefined) listed.push(other);
    return [keys, notListed(callback, listed, error)];
  } finally {
    await login.close();
  }
}

function refusedKeys(error: unknown): Finding {
  const fix =
    "copy API key and secret from the portal's Keys and tokens into .env once more: CONSUMER_KEY, CONSUMER_SECRET";
  if (error instanceof PlatformError && error.status === 401) {
    return fail("keys", `the platform refuses the app's API key or secret: ${error.message}`, fix);
  }
  return failed("keys", error, fix);
}

function notListed(callback: string, listed: readonly string[], error: PlatformError): Finding {
  const [near] = listed;
  const instead = near === undefined ? "" : `; ${near} is, ${differenceOf(callback, near)}`;
  return {
    ...fail(
      "callback",
      `${callback} is not approved${instead}`,
      `in the portal, add to Callback URLs exactly: ${callback} (or log in with --pin, which needs none)`,
    ),
    details: [
      `asked:      POST /oauth/request_token with oauth_callback=${callback}`,
      `came back:  ${error.message}`,
    ],
  };
}

function isNotAllowed(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.refusal.v1Code === NOT_ALLOWED;
}

/** Variants of a callback URL that are often on the app's list by mistake. */
function nearby(callback: string): readonly string[] {
  const swapped = callback.startsWith("https:")
    ? callback.replace(/^https:/, "http:")
    : callback.replace(/^http:/, "https:");
  return [
    callback.endsWith("/") ? callback.slice(0, -1) : `${callback}/`,
    swapped,
    new URL(callback).origin,
    `${new URL(callback).origin}/`,
  ].filter((one) => one !== callback);
}

function differenceOf(wanted: string, listed: string): string {
  if (listed === `${wanted}/`) return "with a slash at its end";
  if (`${listed}/` === wanted) return "without the slash at its end";
  const [scheme = ""] = listed.split(":");
  return wanted.startsWith(`${scheme}:`) ? "without the path" : `with ${scheme}`;
}
