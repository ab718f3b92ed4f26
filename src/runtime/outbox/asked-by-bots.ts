import type { PlatformAnswer, PlatformRequest } from "../../bots/platform-request.ts";
import type { Client } from "../../client/client.ts";
import { PlatformError, RateLimitError, UnreachableError } from "../../client/errors.ts";
import { type ClientFault, faultOfClient } from "../../client/fault.ts";
import { UsageError } from "../../errors.ts";
import { messageOf } from "../../system/error-message.ts";
import type { Json } from "../../protocol/json.ts";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import { AccountPaused } from "../loop/account-paused.ts";
import { pause } from "../../system/time/pause.ts";
import { QUARTER_HOUR_MS, type SendLimit } from "./effects/effect.ts";
import { EFFECTS } from "./effects/effects.ts";
import type { Ending, Gate, Use } from "./gate/gate.ts";
import { isAway } from "./refusals.ts";

export interface AskedByBotsNeeds {
  /** Returns the client that sends requests with the account's tokens; undefined when the account is not linked. */
  readonly clientOf: (account: string) => Client<"oauth1"> | undefined;
  readonly gate: Pick<Gate, "ask" | "begin">;
  readonly clock: Pick<Clock, "now">;
  readonly isPaused: (account: string) => boolean;
  /** Time limit of one request, in milliseconds. */
  readonly requestTimeoutMs: number;
  /** Whether this is a dry run: look-ups are sent, and requests that would change the platform are refused. */
  readonly dryRun?: boolean | undefined;
  readonly log: Log;
  /** Uniform draw in [0, 1). */
  readonly random: () => number;
}

/**
 * Sends a platform request for a bot's handler. A failed request returns its error as `fault`.
 *
 * @throws {AccountPaused} if nothing was sent because the account is paused.
 */
export type AskForBot = (
  account: string,
  request: PlatformRequest,
  signal: AbortSignal,
) => Promise<PlatformAnswer>;

/** Maximum number of attempts of a look-up (a GET request). */
const TRIES = 3;
const RETRY_MS = 400;
/** Milliseconds before the gate is asked again, when a request has to wait until other requests have ended. */
const BUSY_MS = 50;

/**
 * Creates the function that sends the platform requests of bots' handlers. They share rate limits and circuit breakers
 * with the requests of the outbox.
 */
export function askedByBots(needs: AskedByBotsNeeds): AskForBot {
  return async (account, request, signal) => {
    try {
      for (let failed = 1; ; failed += 1) {
        const answer = await askOnce(account, request, signal, needs).catch((error: unknown) => {
          if (failed < TRIES && mayRepeat(request, error, signal)) return undefined;
          throw error;
        });
        if (answer !== undefined) return answer;
        await pause(RETRY_MS * failed * needs.random(), signal);
      }
    } catch (error) {
      if (error instanceof AccountPaused) throw error;
      return { ok: false, fault: faultOf(error, nameOf(request), needs.clock.now()) };
    }
  };
}

async function askOnce(
  account: string,
  request: PlatformRequest,
  signal: AbortSignal,
  needs: AskedByBotsNeeds,
): Promise<PlatformAnswer> {
  const { method, endpoint, raw, timeoutMs = Infinity, ads, ...input } = request;
  const name = nameOf(request);
  const use = { account, endpoint: name, limits: limitsOf(name) };
  await letThrough(use, signal, needs);
  const client = needs.clientOf(account);
  if (client === undefined) throw new UsageError(`account ${account} is not linked`);
  if (needs.dryRun === true && method !== "GET") {
    needs.log.info({ account }, `would request: ${name}`);
    throw new UsageError(`${name} was not sent: this is a dry run, which changes nothing`);
  }
  const target = { method, endpoint, ...input, ...(ads && { ads }), ...bodyOf(raw) };
  const options = { timeoutMs: Math.min(timeoutMs, needs.requestTimeoutMs), signal };
  const ended = needs.gate.begin(use);
  const reported = (): Pick<Ending, "reportedLimits"> => {
    const limits = client.rateLimits.all().find((each) => each.endpoint === name);
    return limits === undefined ? {} : { reportedLimits: limits };
  };
  try {
    const { status, body } = await client.request(target, { ...options, retry: false });
    ended({ kind: "answered", reason: "", ...reported() });
    return { ok: true, status, body: plain(body) };
  } catch (error) {
    ended({ ...endingOf(error), ...reported() });
    throw error;
  }
}

/** Waits for the gate's permission. Throws if the request must not be sent, or only after a time that is known. */
async function letThrough(
  use: Use,
  signal: AbortSignal,
  { gate, isPaused, clock }: AskedByBotsNeeds,
): Promise<void> {
  const { account, endpoint } = use;
  for (;;) {
    if (signal.aborted) throw unsent(endpoint, "the handler waits for it no more");
    if (isPaused(account)) throw new AccountPaused(account);
    const permission = gate.ask(use);
    if (permission.kind === "go") return;
    if (permission.kind === "wait") {
      const { until, reason, isLimit } = permission;
      const waitMs = Math.max(0, until - clock.now());
      throw isLimit === true
        ? limited(endpoint, reason, { until, waitMs })
        : unsent(endpoint, `${reason}; asked again in ${seconds(waitMs)}`, "connection");
    }
    await pause(BUSY_MS, signal);
  }
}

/**
 * Converts a request's error to the outcome that the gate records. A refusal that concerns one object, such as a
 * deleted post, counts as `answered`, since requests about other objects may succeed.
 */
function endingOf(error: unknown): Ending {
  const reason = messageOf(error);
  if (error instanceof PlatformError) {
    if (isAway(error)) return { kind: "unavailable", reason };
    return { kind: error.status === 401 ? "refused" : "answered", reason };
  }
  if (!(error instanceof UnreachableError)) return { kind: "untried", reason };
  return { kind: error.ended === "caller" ? "untried" : "unavailable", reason };
}

function mayRepeat({ method }: PlatformRequest, error: unknown, signal: AbortSignal): boolean {
  if (method !== "GET" || signal.aborted || error instanceof RateLimitError) return false;
  if (error instanceof UnreachableError) return error.retryable && error.sent === "maybe";
  return error instanceof PlatformError && error.retryable;
}

/**
 * Returns the platform's limits of an endpoint. For an endpoint that the outbox does not use, assumes the limit that
 * most look-ups have.
 */
function limitsOf(endpoint: string): readonly SendLimit[] {
  return KNOWN.get(endpoint) ?? UNKNOWN;
}

const UNKNOWN: readonly SendLimit[] = [{ limit: 900, windowMs: QUARTER_HOUR_MS, per: "account" }];

const KNOWN: ReadonlyMap<string, readonly SendLimit[]> = new Map([
  ...Object.values(EFFECTS).flatMap((effect) => [
    [effect.endpoint, effect.budget] as const,
    ...("reads" in effect ? [[effect.reads.endpoint, effect.reads.budget] as const] : []),
  ]),
  ["GET /conversion_attribution", EFFECTS.report_conversion.budget],
]);

function limited(
  endpoint: string,
  reason: string,
  { until, waitMs }: { readonly until: number; readonly waitMs: number },
): RateLimitError {
  return new RateLimitError(
    reason,
    {
      endpoint,
      status: 429,
      reason: undefined,
      title: undefined,
      detail: undefined,
      type: undefined,
      v1Code: undefined,
      adsCode: undefined,
      problems: [],
      limits: undefined,
      retryAfterMs: waitMs,
      accessLevel: undefined,
      transactionId: undefined,
      afterUnknown: false,
    },
    { resetAt: until },
  );
}

/** Returns the error of a request that was not sent. `ended`: whether the connection or the caller prevented it. */
function unsent(
  endpoint: string,
  reason: string,
  ended: "connection" | "caller" = "caller",
): UnreachableError {
  const message = `${endpoint}: ${reason}; nothing was sent`;
  return new UnreachableError(message, { endpoint, sent: "no", ended, safe: true });
}

/**
 * Converts the error to plain data for the handler's worker thread. The message of a rate limit includes how long to
 * wait.
 */
function faultOf(error: unknown, endpoint: string, now: number): ClientFault {
  const fault = faultOfClient(error);
  if (fault === undefined) {
    const message = `${endpoint}: ${messageOf(error)}`;
    return { kind: "unreachable", message, endpoint, sent: "maybe", ended: "caller", safe: false };
  }
  if (fault.kind !== "limited") return fault;
  const { refusal, resetAt = now } = fault;
  const { retryAfterMs = Math.max(0, resetAt - now) } = refusal;
  const message = `${fault.message}; it may be asked again in ${seconds(retryAfterMs)}`;
  return { ...fault, message, refusal: { ...refusal, retryAfterMs } };
}

function bodyOf(raw: PlatformRequest["raw"]) {
  return raw === undefined
    ? {}
    : { raw: { body: Buffer.from(raw.body), contentType: raw.contentType } };
}

/** Converts the body of a response to plain JSON. */
function plain(body: Readonly<Record<string, unknown>>): Json {
  const text: Json = JSON.parse(JSON.stringify(body));
  return text;
}

function nameOf({ method, endpoint }: PlatformRequest): string {
  return `${method} ${endpoint}`;
}

function seconds(ms: number): string {
  return `${Math.ceil(ms / 1_000)} s`;
}
