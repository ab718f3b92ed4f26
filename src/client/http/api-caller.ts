import { AnswerbackError } from "../../errors.ts";
import { type Accepted, attempt, attemptOpen, type AttemptOptions } from "./attempt.ts";
import type { Authorizer } from "./authorizer.ts";
import { dateOf } from "../clock.ts";
import { type Endpoint, isSafe, nameOf } from "./endpoint.ts";
import {
  CredentialError,
  mayBeExecuted,
  PlatformError,
  RateLimitError,
  type Refusal,
  UnreachableError,
} from "../errors.ts";
import { TOKEN_IS_GONE } from "./problem.ts";
import {
  type AnswerHeaders,
  headerOf,
  type RateLimitTracker,
  readRateLimits,
} from "./rate-limits.ts";
import { buildRequest, type BuiltRequest, type CallInput } from "./request.ts";
import { waitBeforeRetry } from "./retry.ts";
import type { ClientSettings, TriedRequest } from "../settings.ts";
import type { StreamedAnswer } from "./streamed-answer.ts";
import type { WireRequest } from "./exchange-course.ts";
import { jsonFields } from "./json-fields.ts";
import { fieldsToPostDialect } from "./dialect.ts";

/** Options that every call accepts. */
export interface CallOptions {
  /**
   * Aborts the call. If the request was not yet written to the socket, nothing is sent; otherwise the outcome is
   * unknown.
   */
  readonly signal?: AbortSignal | undefined;
  /** Time limit of each attempt in milliseconds; default the client's. */
  readonly timeoutMs?: number | undefined;
  /**
   * Runs in the same tick as the write to the socket, before each attempt. If it throws, nothing is sent, and the call
   * fails with an `UnreachableError` with `sent: "no"` and the thrown value as `cause`.
   */
  readonly beforeWrite?: (() => void) | undefined;
  /** Set to `false` to turn retries off for this call. */
  readonly retry?: false | undefined;
}

/** Options of a streaming response. */
export interface OpenOptions extends Pick<CallOptions, "signal" | "timeoutMs"> {
  /** Called whenever bytes arrive, even if the stream's reader is not reading. */
  readonly onArrival: () => void;
}

/** Successful response of the platform. */
export interface ApiResponse {
  readonly endpoint: string;
  readonly status: number;
  /**
   * The JSON object, with field names in the post dialect (`repost_count`), without `data` if it is null; empty if the
   * response had no body.
   */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The advertising interface's version headers of a response. */
export interface AdsNotice {
  /** The newest version of the API, such as `12`. */
  readonly currentVersion: string;
  /** The platform's warning that the requested version will be removed; undefined without a warning. */
  readonly warning: string | undefined;
}

/** Sends calls with one set of credentials: authorizes them, retries if a repeat is safe, tracks the rate limits. */
export class ApiCaller {
  readonly settings: ClientSettings;
  readonly limits: RateLimitTracker;
  readonly #authority: Authorizer;
  #accessLevel: string | undefined;
  #adsNotice: AdsNotice | undefined;

  constructor(settings: ClientSettings, authority: Authorizer, limits: RateLimitTracker) {
    this.settings = settings;
    this.limits = limits;
    this.#authority = authority;
  }

  /** The header `x-access-level` of the last response that had this header. */
  get accessLevel(): string | undefined {
    return this.#accessLevel;
  }

  /** Newest version of the advertising interface, with a warning if the used one will be removed, as last reported. */
  get adsNotice(): AdsNotice | undefined {
    return this.#adsNotice;
  }

  /**
   * Makes one call.
   *
   * @throws PlatformError, RateLimitError, UnreachableError, ProtocolError, CredentialError, UsageError
   */
  async call(
    endpoint: Endpoint,
    input: CallInput,
    options: CallOptions = {},
  ): Promise<ApiResponse> {
    const name = nameOf(endpoint);
    this.#checkKind(endpoint, name);
    const request = buildRequest(endpoint, input, this.settings);
    const answer = await this.#tries(endpoint, name, request, options);
    const { status, text, headers } = answer;
    if (request.encoding === "base64") {
      const body = { media_type: headerOf(headers, "content-type") ?? "", base64: text };
      return { endpoint: name, status, body };
    }
    // A 204 has no body, and some successful responses of API v1.1 have none either.
    const body = text === "" ? {} : fieldsToPostDialect(jsonFields(text, name, status));
    const { data, ...others } = body;
    return { endpoint: name, status, body: data === null ? others : body };
  }

  /**
   * Opens a streaming response. The only retry is one with renewed credentials after a 401.
   *
   * @throws PlatformError, RateLimitError, UnreachableError, CredentialError, UsageError
   */
  async open(
    endpoint: Endpoint,
    input: CallInput,
    { onArrival, ...options }: OpenOptions,
  ): Promise<StreamedAnswer> {
    const name = nameOf(endpoint);
    this.#checkKind(endpoint, name);
    const request = buildRequest(endpoint, input, this.settings);
    const once = async (header: string): Promise<StreamedAnswer> => {
      const attempted = { ...this.#attempted(endpoint, name, request, false, options), onArrival };
      return attemptOpen(this.settings.dispatcher, wireOf(endpoint, request, header), attempted);
    };
    const { signal } = options;
    const notAuthorized = (error: unknown): never => {
      throw notCarriedOut(error, name);
    };
    const authorize = async (): Promise<string> =>
      this.#authorize(endpoint, request, signal).catch(notAuthorized);
    const header = await authorize();
    try {
      return await once(header);
    } catch (error) {
      if (!(error instanceof AnswerbackError) || !isUnauthorized(error)) throw error;
      const renewed = orAborted(this.#authority.renew(header), signal, true);
      if (!(await renewed.catch(notAuthorized))) throw error;
      return once(await authorize());
    }
  }

  #checkKind(endpoint: Endpoint, name: string): void {
    const { kind } = this.#authority;
    if (endpoint.takes.includes(kind)) return;
    const wanted = endpoint.takes.join(" or ");
    throw new CredentialError(`${name} takes ${wanted} credentials; this client has ${kind}`, {
      takes: endpoint.takes,
      hint: `make a client for it: client.as({ type: "${endpoint.takes[0] ?? ""}", … })`,
    });
  }

  async #tries(
    endpoint: Endpoint,
    name: string,
    request: BuiltRequest,
    options: CallOptions,
  ): Promise<Accepted> {
    const { platformTime, random, retry } = this.settings;
    const { signal } = options;
    let afterUnknown = false;
    let mayRenew = true;
    const notAuthorized = (error: unknown): never => {
      throw afterUnknown ? error : notCarriedOut(error, name);
    };
    for (let failed = 1; ; failed += 1) {
      const header = await this.#authorize(endpoint, request, signal).catch(notAuthorized);
      try {
        return await this.#once(endpoint, name, request, header, afterUnknown, options);
      } catch (error) {
        if (!(error instanceof AnswerbackError)) throw error;
        if (mayRenew && isUnauthorized(error)) {
          mayRenew = false;
          const renewed = orAborted(this.#authority.renew(header), signal, true);
          if (await renewed.catch(notAuthorized)) continue;
        }
        if (retry === false || options.retry === false) throw error;
        const wait = waitBeforeRetry(error, failed, retry, platformTime.now(), random);
        if (wait === undefined) throw error;
        afterUnknown ||= leftUnknown(error);
        await sleep(this.settings, wait, error, signal);
      }
    }
  }

  /** Returns the header; an empty one if the caller aborts, because the attempt then sends nothing. */
  async #authorize(
    { method }: Endpoint,
    { url, signed }: BuiltRequest,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const header = this.#authority.header({ method, url, params: signed });
    return typeof header === "string" ? header : orAborted(header, signal, "");
  }

  async #once(
    endpoint: Endpoint,
    name: string,
    request: BuiltRequest,
    authorization: string,
    afterUnknown: boolean,
    options: CallOptions,
  ): Promise<Accepted> {
    const wire = wireOf(endpoint, request, authorization);
    const { encoding } = request;
    const attempted = {
      ...this.#attempted(endpoint, name, request, afterUnknown, options),
      ...(encoding && { encoding }),
    };
    return attempt(this.settings.dispatcher, wire, attempted);
  }

  #attempted(
    endpoint: Endpoint,
    name: string,
    request: BuiltRequest,
    afterUnknown: boolean,
    options: CallOptions,
  ): AttemptOptions {
    const { onAttempt, timeoutMs } = this.settings;
    return {
      endpoint: name,
      safe: isSafe(endpoint),
      afterUnknown,
      timeoutMs: options.timeoutMs ?? timeoutMs,
      signal: options.signal,
      beforeWrite: options.beforeWrite,
      kind: this.#authority.kind,
      now: () => this.settings.platformTime.now(),
      secrets: this.#authority.secrets(),
      onOver: onAttempt && ((over) => report(onAttempt, { endpoint: name, ...over })),
      onHeaders: (answered, ms) => this.#noteHeaders(budgetName(name, request), answered, ms),
    };
  }

  #noteHeaders(budget: string, answered: AnswerHeaders, ms: number): void {
    const { platformTime } = this.settings;
    platformTime.learn(answered, ms);
    this.limits.record(readRateLimits(budget, answered, dateOf(answered) ?? platformTime.now()));
    this.#accessLevel = headerOf(answered, "x-access-level") ?? this.#accessLevel;
    const currentVersion = headerOf(answered, "x-current-api-version");
    if (currentVersion === undefined) return;
    this.#adsNotice = { currentVersion, warning: headerOf(answered, "x-api-warn") };
  }
}

/** Returns the endpoint's name for its rate limits. Requests with the total count have lower limits of their own. */
function budgetName(name: string, { url }: BuiltRequest): string {
  const isCounted = url.searchParams.get(TOTAL_COUNT) === "true";
  return isCounted ? `${name} ${TOTAL_COUNT}` : name;
}

const TOTAL_COUNT = "with_total_count";

function wireOf(
  { method }: Endpoint,
  { url, body, contentType, encoding }: BuiltRequest,
  authorization: string,
): WireRequest {
  const headers = {
    accept: encoding === undefined ? "application/json" : "*/*",
    authorization,
    ...(contentType === undefined ? {} : { "content-type": contentType }),
  };
  return { url, method, headers, body };
}

/** Calls `onAttempt`. The platform may have carried out the call, so an error of `onAttempt` must not fail it. */
function report(onAttempt: (tried: TriedRequest) => void, tried: TriedRequest): void {
  try {
    onAttempt(tried);
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
  }
}

/**
 * Converts the error of a failed token refresh to the error of the call. The call was not carried out, whatever the
 * outcome of the refresh is.
 */
function notCarriedOut(error: unknown, endpoint: string): unknown {
  const text = `${endpoint} was not carried out, because the access token could not be refreshed`;
  if (error instanceof UnreachableError) {
    const { ended, hint, message } = error;
    const details = { endpoint, ended, hint, sent: "no", safe: false, cause: error } as const;
    return new UnreachableError(`${text} (${message})`, details);
  }
  if (error instanceof RateLimitError) {
    const { refusal, hint, resetAt, message } = error;
    return new RateLimitError(`${text} (${message})`, refusal, { hint, resetAt, cause: error });
  }
  if (error instanceof PlatformError) {
    const { refusal, message } = error;
    const hint = isTokenRefused(refusal) ? TOKEN_IS_GONE : error.hint;
    return new PlatformError(`${text} (${message})`, refusal, { hint, safe: true, cause: error });
  }
  return error;
}

/** Whether the platform refused the refresh token itself, and not the app's id. */
function isTokenRefused({ title, detail }: Refusal): boolean {
  return (
    title === "invalid_grant" ||
    (title === "invalid_request" && detail?.includes("client_id") !== true)
  );
}

function isUnauthorized(error: AnswerbackError): boolean {
  return error instanceof PlatformError && error.status === 401;
}

function leftUnknown(error: AnswerbackError): boolean {
  if (error instanceof UnreachableError) return error.sent === "maybe";
  return error instanceof PlatformError && mayBeExecuted(error.status);
}

/**
 * Waits for a token refresh, until the caller aborts: then returns `otherwise` at once. The refresh goes on, because
 * other calls may wait for it.
 */
async function orAborted<T>(
  refresh: Promise<T>,
  signal: AbortSignal | undefined,
  otherwise: T,
): Promise<T> {
  if (signal === undefined) return refresh;
  let onAbort = (): void => undefined;
  const aborted = new Promise<T>((resolve) => (onAbort = () => resolve(otherwise)));
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort);
  return Promise.race([refresh, aborted]).finally(() =>
    signal.removeEventListener("abort", onAbort),
  );
}

/** Waits `ms` milliseconds before the next attempt. If the caller aborts meanwhile, throws the last attempt's error. */
async function sleep(
  settings: ClientSettings,
  ms: number,
  failure: AnswerbackError,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await settings.clock.sleep(ms, signal);
  } catch (cause) {
    if (signal?.aborted === true) throw failure;
    throw cause;
  }
}
