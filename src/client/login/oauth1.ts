import { AnswerbackError } from "../../errors.ts";
import { checkKeys } from "../auth/check-credentials.ts";
import type { OAuth1Credentials } from "../auth/credentials.ts";
import { LoginError, PlatformError, ProtocolError } from "../errors.ts";
import { type ConnectionOptions, resolveSettings, type ClientSettings } from "../settings.ts";
import { signOAuth1 } from "../auth/sign.ts";
import { type LoginCallOptions, postForm } from "../auth/token-request.ts";
import { type Callback, verifierIn } from "./callback.ts";
import { LOGIN_PATHS } from "../auth/login-paths.ts";
import { encodeParams, endpointUrl } from "../http/url.ts";

/** Options of a log-in with OAuth 1.0a. */
export interface OAuth1LoginOptions extends ConnectionOptions {
  readonly consumerKey: string;
  readonly consumerSecret: string;
}

/** A log-in in progress. Store it until the user returns; a web server stores it in the user's session. */
export interface OAuth1PendingLogin {
  /** Page to which you redirect the user's browser. */
  readonly url: string;
  readonly requestToken: string;
  readonly requestTokenSecret: string;
}

/** A completed log-in. */
export interface OAuth1LoginResult {
  /** Credentials for `createClient`. */
  readonly credentials: OAuth1Credentials;
  readonly userId: string | undefined;
  readonly username: string | undefined;
}

/** Options of the page on which the user approves. */
export interface BeginOptions extends LoginCallOptions {
  /** Requests fewer permissions than the app has. */
  readonly accessType?: "read" | "write" | undefined;
  /** Makes the user sign in even with an existing session. */
  readonly forceLogin?: boolean | undefined;
  /** Prefills the user name. */
  readonly username?: string | undefined;
  /** Asks for approval even if the user has approved before. A PIN log-in always does. */
  readonly alwaysAsk?: boolean | undefined;
}

/**
 * A log-in with OAuth 1.0a. Step 1 returns a page, on which the user approves in step 2; step 3 returns the
 * credentials. Without a web server, the user types a PIN.
 */
export interface OAuth1Login {
  /** Step 1 with a callback URL of the app's allowlist. @throws LoginError, PlatformError */
  begin(callbackUrl: string, options?: BeginOptions): Promise<OAuth1PendingLogin>;
  /** Step 1 for a user who will type a PIN. */
  beginPin(options?: Omit<BeginOptions, "alwaysAsk">): Promise<OAuth1PendingLogin>;
  /**
   * Step 3, with the callback URL that the user's browser requested.
   *
   * @throws LoginError `denied`, `token-mismatch`, `verifier-missing` or `refused`
   */
  complete(
    callback: Callback,
    begun: Pick<OAuth1PendingLogin, "requestToken" | "requestTokenSecret">,
    options?: LoginCallOptions,
  ): Promise<OAuth1LoginResult>;
  /** Step 3 with the PIN that the platform showed the user. */
  completePin(
    pin: string,
    begun: Pick<OAuth1PendingLogin, "requestToken" | "requestTokenSecret">,
    options?: LoginCallOptions,
  ): Promise<OAuth1LoginResult>;
  /** Closes the connections. */
  close(): Promise<void>;
}

/**
 * Logs users in with OAuth 1.0a.
 *
 * @example
 * const login = createOAuth1Login({ baseUrl, consumerKey, consumerSecret });
 * const begun = await login.begin("https://bot.example/callback");
 * // Keep `begun` in the session, redirect to `begun.url`, and in the callback route:
 * const { credentials } = await login.complete(request.url, begun);
 * const client = createClient({ baseUrl, credentials });
 */
export function createOAuth1Login(options: OAuth1LoginOptions): OAuth1Login {
  const settings = resolveSettings(options);
  const { consumerKey, consumerSecret } = options;
  checkKeys("the app's keys", { consumerKey, consumerSecret }, [settings.baseUrl]);
  const steps = new OAuth1Flow(settings, consumerKey, consumerSecret);
  return {
    begin: (callbackUrl, begin = {}) =>
      steps.begin(callbackUrl, begin.alwaysAsk === true ? "authorize" : "authenticate", begin),
    beginPin: (begin = {}) => steps.begin("oob", "authorize", begin),
    complete: async (callback, begun, call) =>
      steps.finish(verifierIn(callback, begun.requestToken), begun, call),
    completePin: (pin, begun, call) => steps.finish(pin.trim(), begun, call),
    close: settings.close,
  };
}

type RequestToken = Pick<OAuth1PendingLogin, "requestToken" | "requestTokenSecret">;

class OAuth1Flow {
  readonly #settings: ClientSettings;
  readonly #consumerKey: string;
  readonly #consumerSecret: string;

  constructor(settings: ClientSettings, consumerKey: string, consumerSecret: string) {
    this.#settings = settings;
    this.#consumerKey = consumerKey;
    this.#consumerSecret = consumerSecret;
  }

  async begin(
    callbackUrl: string,
    page: "authenticate" | "authorize",
    options: BeginOptions,
  ): Promise<OAuth1PendingLogin> {
    const path = LOGIN_PATHS.requestToken;
    const form = options.accessType === undefined ? {} : { x_auth_access_type: options.accessType };
    const header = { oauth_callback: callbackUrl };
    const answer = await this.#post(path, form, undefined, header, options);
    const token = required(answer, "oauth_token", path);
    const requestTokenSecret = required(answer, "oauth_token_secret", path);
    if (answer.get("oauth_callback_confirmed") !== "true") {
      throw new LoginError("the platform did not confirm the callback URL", {
        reason: "callback-not-confirmed",
      });
    }
    const url = endpointUrl(this.#settings.baseUrl, `/oauth/${page}`);
    const { forceLogin, username } = options;
    url.search = encodeParams({
      oauth_token: token,
      ...(forceLogin === true ? { force_login: "true" } : {}),
      ...(username === undefined ? {} : { screen_name: username }),
    });
    return { url: url.href, requestToken: token, requestTokenSecret };
  }

  async finish(
    verifier: string,
    held: RequestToken,
    options?: LoginCallOptions,
  ): Promise<OAuth1LoginResult> {
    const path = LOGIN_PATHS.accessToken;
    const form = { oauth_verifier: verifier };
    const answer = await this.#post(path, form, held, {}, options).catch((error: unknown) => {
      throw asLoginError(error);
    });
    return {
      credentials: {
        type: "oauth1",
        consumerKey: this.#consumerKey,
        consumerSecret: this.#consumerSecret,
        accessToken: required(answer, "oauth_token", path),
        accessTokenSecret: required(answer, "oauth_token_secret", path),
      },
      userId: answer.get("user_id") ?? undefined,
      username: answer.get("screen_name") ?? undefined,
    };
  }

  async #post(
    path: string,
    form: Readonly<Record<string, string>>,
    held: RequestToken | undefined,
    header: Readonly<Record<string, string>>,
    options: LoginCallOptions = {},
  ): Promise<URLSearchParams> {
    const { platformTime, nonce, baseUrl } = this.#settings;
    const consumer = { consumerKey: this.#consumerKey, consumerSecret: this.#consumerSecret };
    const token = held && { key: held.requestToken, secret: held.requestTokenSecret };
    const authorization = signOAuth1(
      { method: "POST", url: endpointUrl(baseUrl, path), params: form },
      { ...consumer, token },
      { now: () => platformTime.now(), nonce },
      header,
    );
    const secrets = [
      ...Object.values(consumer),
      held?.requestToken ?? "",
      held?.requestTokenSecret ?? "",
    ];
    const answer = await postForm(this.#settings, { path, form, authorization, secrets }, options);
    return new URLSearchParams(answer.text);
  }
}

function required(answer: URLSearchParams, name: string, path: string): string {
  const value = answer.get(name);
  if (value !== null && value !== "") return value;
  const endpoint = `POST ${path}`;
  throw new ProtocolError(`${endpoint} answered without ${name}`, { endpoint, status: 200 });
}

/** Turns a refused verifier into a LoginError; returns any other error unchanged. */
function asLoginError(error: unknown): unknown {
  if (!(error instanceof PlatformError) || error.status < 400 || error.status >= 500) return error;
  if (error instanceof AnswerbackError && error.retryable) return error;
  return new LoginError(error.message, {
    reason: "refused",
    cause: error,
    hint: "start the log-in again: a verifier or PIN works once and not for long",
  });
}
