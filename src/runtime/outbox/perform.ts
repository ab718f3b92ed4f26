import type { EndpointName, RateLimits } from "../../client/client.ts";
import {
  CredentialError,
  PlatformError,
  RateLimitError,
  UnreachableError,
} from "../../client/errors.ts";
import { type AnswerbackError, UsageError } from "../../errors.ts";
import { messageOf } from "../../system/error-message.ts";
import { NotUploadedError } from "./effects/attached.ts";
import { effectOf } from "./effects/effects.ts";
import type { ActingClient } from "./effects/effect.ts";
import type { Gate } from "./gate/gate.ts";
import { NotAskedError } from "./gate/not-asked.ts";
import type { Perform } from "./outbox.ts";
import { endingOf, type Sending } from "./plan.ts";
import type { FindAgain } from "./reconcile.ts";
import { tooLongReason } from "./thread.ts";
import { isAboutAction, isAway } from "./refusals.ts";

export interface PerformNeeds {
  /** Returns the client that acts for an account; undefined when the account is not linked. */
  readonly clientOf: (account: string) => ActingClient | undefined;
  readonly requestTimeoutMs: number;
}

/**
 * Maximum wait for the platform's processing of an attached file, in milliseconds. The item blocks its lane meanwhile.
 */
const PROCESSING_MS = 10 * 60_000;

/**
 * Creates the function that performs actions through the client. It converts both responses and errors to a {@link
 * Sending}.
 */
export function performer({ clientOf, requestTimeoutMs }: PerformNeeds): Perform {
  return async (account, action, beforeWrite, remainingMs) => {
    const client = clientOf(account);
    if (client === undefined) {
      return { kind: "kept-back", reason: `account ${account} is not linked` };
    }
    const tooLong = tooLongReason(action);
    if (tooLong !== undefined) return { kind: "refused", reason: tooLong };
    const { endpoint } = effectOf(action.type);
    try {
      const processingMs = Math.max(0, Math.min(PROCESSING_MS, remainingMs));
      const timeoutMs = requestTimeoutMs;
      const options = { timeoutMs, retry: false, beforeWrite, processingMs } as const;
      const accepted = await effectOf(action.type).perform(client, account, action, options);
      return { kind: "accepted", ...accepted, ...toldBy(client, endpoint) };
    } catch (error) {
      return { ...sendingOf(error), ...toldBy(client, endpoint) };
    }
  };
}

export interface FinderNeeds extends PerformNeeds {
  readonly gate: Gate;
}

/**
 * Creates the function that searches the platform for what an action may have created. The gate limits these reads
 * together with the outbox's requests.
 *
 * @throws {NotAskedError} when the gate does not permit the read now.
 */
export function finder({ clientOf, requestTimeoutMs, gate }: FinderNeeds): FindAgain {
  return async (account, action, since) => {
    const client = clientOf(account);
    if (client === undefined) throw new UsageError(`account ${account} is not linked`);
    const effect = effectOf(action.type);
    if (effect.find === undefined) return undefined;
    const { reads } = effect;
    const use = { account, endpoint: reads.endpoint, limits: reads.budget };
    const permission = await gate.askForShare(use);
    if (permission.kind !== "go") {
      throw new NotAskedError(permission.kind === "wait" ? permission.reason : "others are read");
    }
    const ended = gate.begin(use);
    try {
      const options = { timeoutMs: requestTimeoutMs, retry: false as const };
      const candidates = await effect.find(client, account, action, since, options);
      ended({ kind: "answered", reason: "", ...toldBy(client, reads.endpoint) });
      return candidates;
    } catch (error) {
      ended({ ...endingOf(sendingOf(error)), ...toldBy(client, reads.endpoint) });
      throw error;
    }
  };
}

/** Returns the rate limits that the endpoint's last response reported. */
function toldBy(
  client: ActingClient,
  endpoint: EndpointName,
): { readonly reportedLimits?: RateLimits } {
  const reportedLimits = client.rateLimits.get(endpoint);
  return reportedLimits === undefined ? {} : { reportedLimits };
}

/**
 * Converts the error of a request to the outcome of the request. A refused request did nothing. Without a response, or
 * after an unreadable response or a 5xx, the request may have been executed.
 */
export function sendingOf(error: unknown): Sending {
  // PostgreSQL stores no text with a NUL character.
  const reason = messageOf(error).replaceAll("\0", "\uFFFD");
  if (error instanceof RateLimitError) {
    return error.resetAt === undefined
      ? { kind: "limited", reason }
      : { kind: "limited", reason, resetAt: error.resetAt };
  }
  if (error instanceof PlatformError) {
    const isMissing = error.status < 300 && error.notFound;
    if (error.executed === "unknown" && !isMissing) return { kind: "unknown", reason };
    if (isAboutAction(error)) return { kind: "refused", reason };
    return isAway(error) ? { kind: "unavailable", reason } : notNow(error);
  }
  if (error instanceof UnreachableError) {
    if (error.sent === "maybe") return { kind: "unknown", reason };
    if (error.ended !== "caller") return { kind: "unavailable", reason };
    // The cause is the reason for which this process did not send the request.
    return { kind: "kept-back", reason: messageOf(error.cause ?? error) };
  }
  if (error instanceof NotUploadedError) {
    return { kind: error.retryable ? "unavailable" : "refused", reason };
  }
  if (error instanceof CredentialError) return notNow(error);
  if (error instanceof UsageError) return { kind: "refused", reason };
  return { kind: "unknown", reason };
}

function notNow({ message: reason, hint: fix }: AnswerbackError): Sending {
  return fix === undefined ? { kind: "not-now", reason } : { kind: "not-now", reason, fix };
}
