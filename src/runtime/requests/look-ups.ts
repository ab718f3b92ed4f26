import type { PlatformAnswer, PlatformRequest } from "../../bots/platform-request.ts";
import { requestOf } from "../../bots/platform/request-of.ts";
import { type ApiResponse, type Caller, resources } from "../../client/client.ts";
import { PlatformClock, SYSTEM_CLOCK } from "../../client/clock.ts";
import { PlatformError, RateLimitError } from "../../client/errors.ts";
import { errorOfFault } from "../../client/fault.ts";
import { nameOf } from "../../client/http/endpoint.ts";
import { lookedUpObject, selectedFields } from "../../events/looked-up.ts";
import type { Dialect } from "../../protocol/dialects.ts";
import { POST_FIELDS, USER_FIELDS } from "../../protocol/fields.ts";
import { attributedConversion } from "../../actions/attributed-conversion.ts";
import type { ActionResult } from "../../actions/action-result.ts";
import type {
  AttributionLookup,
  Lookup,
  LookupOutcome,
  ObjectLookup,
} from "../../actions/lookup.ts";
import { messageOf } from "../../system/error-message.ts";
import type { Clock } from "../clock/clock.ts";
import { TooEarly } from "../clock/too-early.ts";
import { AccountPaused } from "../loop/account-paused.ts";

/**
 * Sends a request to the platform within the rate limits. Errors are part of the result.
 *
 * @throws {AccountPaused} if nothing was sent because the account is paused.
 */
type AskPlatform = (
  account: string,
  request: PlatformRequest,
  signal: AbortSignal,
) => Promise<PlatformAnswer>;

/**
 * Performs a step `lookup` of a run.
 *
 * @throws {TooEarly} while a rate limit is exhausted.
 * @throws {AccountPaused} while the account is paused.
 */
export type PerformLookUp = (
  request: {
    /** Journal entry that started the run. The requests of the look-up use the tokens of its account. */
    readonly entry: { readonly account: string };
    readonly lookup: Lookup;
    readonly timeoutMs?: number;
  },
  signal: AbortSignal,
) => Promise<LookupOutcome>;

/** Milliseconds before a look-up is tried again after a limit without a known end. */
const AGAIN_MS = 5_000;

/**
 * Returns the function that looks up users, posts and attributions with the typed client. It sends requests by `ask`.
 */
export function lookUps(
  ask: AskPlatform,
  { clock, dialect }: { readonly clock: Pick<Clock, "now">; readonly dialect: Dialect },
): PerformLookUp {
  return async ({ entry, lookup, timeoutMs }, signal) => {
    const client = resources(callerOf(ask, entry.account, { dialect, timeoutMs, signal }));
    try {
      const { of } = lookup;
      if (of === "attribution") return { ok: true, result: await attributionOf(client, lookup) };
      const { data } = await objectOf(client, lookup);
      return { ok: true, result: lookedUpObject(of, lookup.fields, data) };
    } catch (error) {
      if (error instanceof AccountPaused) throw error;
      const until = waitsUntil(error, clock.now());
      if (until !== undefined) throw new TooEarly(until, messageOf(error));
      return failureOf(error);
    }
  };
}

interface CallerNeeds {
  readonly dialect: Dialect;
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal;
}

function callerOf(
  ask: AskPlatform,
  account: string,
  { dialect, timeoutMs, signal }: CallerNeeds,
): Caller {
  return {
    settings: {
      dialect,
      clock: SYSTEM_CLOCK,
      platformTime: new PlatformClock(() => SYSTEM_CLOCK.now()),
    },
    async call(endpoint, input): Promise<ApiResponse> {
      const answer = await ask(account, requestOf(endpoint, input, timeoutMs), signal);
      if (!answer.ok) throw errorOfFault(answer.fault);
      const { status, body } = answer;
      return { endpoint: nameOf(endpoint), status, body: recordOf(body) };
    },
  };
}

function recordOf(body: unknown): Readonly<Record<string, unknown>> {
  const isRecord = typeof body === "object" && body !== null && !Array.isArray(body);
  return isRecord ? Object.fromEntries(Object.entries(body)) : {};
}

function objectOf(
  { users, posts }: ReturnType<typeof resources>,
  { of, by, name, fields }: ObjectLookup,
): Promise<{ readonly data: object }> {
  const selected: readonly string[] = selectedFields(of, fields);
  if (of === "post") {
    return posts.get(name, { postFields: POST_FIELDS.filter((one) => selected.includes(one)) });
  }
  const userFields = USER_FIELDS.filter((one) => selected.includes(one));
  return by === "id" ? users.get(name, { userFields }) : users.byUsername(name, { userFields });
}

async function attributionOf(
  { conversions }: ReturnType<typeof resources>,
  { conversion }: AttributionLookup,
): Promise<ActionResult> {
  const { data } = await conversions.attribution({
    appId: conversion.app_id,
    conversionTime: conversion.conversion_time,
    conversionType: conversion.conversion_type,
    hashedDeviceId: conversion.hashed_device_id,
    osType: conversion.os_type,
    clickWindow: conversion.click_window,
    viewThroughWindow: conversion.view_through_window,
    nonPlatformEngagementTime: conversion.non_platform_engagement_time,
    nonPlatformEngagementType: conversion.non_platform_engagement_type,
    extraDeviceIds: conversion.extra_device_ids,
  });
  return attributedConversion.answered(data);
}

/** Returns the time of the next attempt if a limit is exhausted; undefined for a failure. */
function waitsUntil(error: unknown, now: number): number | undefined {
  if (!(error instanceof RateLimitError) || !error.retryable) return undefined;
  return Math.max(error.resetAt ?? 0, now + AGAIN_MS);
}

const NOT_VISIBLE = "not-authorized-for-resource";

function failureOf(error: unknown): LookupOutcome {
  const message = messageOf(error);
  if (!(error instanceof PlatformError)) {
    return { ok: false, code: "lookup-failed", error: message };
  }
  // the platform reports an object without access as a 403, or as a 200 without data
  if (error.notFound && !error.isFromProxy)
    return { ok: false, code: "not-found", error: message, status: 404 };
  const { status } = error;
  return error.problem === NOT_VISIBLE
    ? { ok: false, code: "not-visible", error: message, status: 403 }
    : { ok: false, code: "lookup-failed", error: message, status };
}
