import { PlatformError } from "../../../client/errors.ts";
import { messageOf } from "../../../system/error-message.ts";

/** Reasons of refusals that concern only this request or this moment: the next request may be granted. */
const PASSING_REASONS: ReadonlySet<string> = new Set(["QueryParamInvalid", "ReplayConflictError"]);

/** Reasons of refusals which mean that the platform cannot reach the webhook. They are temporary, too. */
const UNREACHABLE_REASONS: ReadonlySet<string> = new Set([
  "CrcValidationFailed",
  "WebhookIdInvalid",
]);

/** Problems with the credentials, because of which the platform refuses every request. */
const PROBLEMS_OF_CREDENTIALS: ReadonlySet<string> = new Set([
  "oauth1-permissions",
  "unsupported-authentication",
]);

/** Error codes of the platform's 1.1 API for an account that is suspended or locked, and for a suspended app. */
const SUSPENDED_CODES: ReadonlySet<number> = new Set([64, 326, 416]);

/**
 * Whether the response to a replay request means that the platform does not replay for this app or its plan.
 *
 * Conflicts, rate limits, failed challenges, an unreachable platform and a suspended app are temporary: the replay is
 * requested again.
 */
export function refusesReplay(error: unknown): error is PlatformError {
  if (!(error instanceof PlatformError)) return false;
  const { status, reason, problem, refusal } = error;
  if (error.isFromProxy || saysUnreachable(error)) return false;
  if (reason !== undefined && PASSING_REASONS.has(reason)) return false;
  if (problem !== undefined && PROBLEMS_OF_CREDENTIALS.has(problem)) return false;
  if (refusal.v1Code !== undefined && SUSPENDED_CODES.has(refusal.v1Code)) return false;
  if (/suspended|locked/i.test(`${refusal.title} ${refusal.detail}`)) return false;
  return status === 403 || status === 404 || status === 410 || problem === "client-forbidden";
}

/** Whether a refusal means that the platform cannot reach the webhook: its challenge failed, or the webhook is gone. */
export function saysUnreachable(error: unknown): boolean {
  if (!(error instanceof PlatformError)) return false;
  const { reason, refusal, message } = error;
  if (reason !== undefined) return UNREACHABLE_REASONS.has(reason);
  return /\bCRC\b/.test(`${message} ${refusal.title} ${refusal.detail}`);
}

/** Returns the reason why a replay request failed, as text for people. */
export function refusalText(error: unknown): string {
  if (error instanceof PlatformError && error.reason === "ReplayConflictError") {
    return "another replay of this webhook is still running";
  }
  return messageOf(error);
}
