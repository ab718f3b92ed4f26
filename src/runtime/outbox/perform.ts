import {
  CredentialError,
  PlatformError,
  RateLimitError,
  UnreachableError,
} from "../../client/errors.ts";
import { UsageError } from "../../errors.ts";
import { effectOf } from "./effects/effects.ts";
import type { ActingClient } from "./effects/effect.ts";
import type { Perform } from "./outbox.ts";
import type { Sending } from "./plan.ts";
import type { FindAgain } from "./reconcile.ts";
import { isAboutAction } from "./refusals.ts";

export interface PerformNeeds {
  /** The client that acts for an account, or undefined when the account is not linked. */
  readonly clientOf: (account: string) => ActingClient | undefined;
  readonly requestTimeoutMs: number;
}

/** Performs actions through the client; every way a request can end becomes a {@link Sending}. */
export function performer({ clientOf, requestTimeoutMs }: PerformNeeds): Perform {
  return async (account, action, beforeWrite) => {
    const client = clientOf(account);
    if (client === undefined) {
      return { kind: "refused", reason: `account ${account} is not linked` };
    }
    try {
      const options = { timeoutMs: requestTimeoutMs, retry: false as const, beforeWrite };
      const platformId = await effectOf(action.type).perform(client, account, action, options);
      return platformId === undefined ? { kind: "accepted" } : { kind: "accepted", platformId };
    } catch (error) {
      return endingOf(error);
    }
  };
}

/** Finds again through the client what an action may have made. */
export function finder({ clientOf, requestTimeoutMs }: PerformNeeds): FindAgain {
  return async (account, action, window) => {
    const client = clientOf(account);
    if (client === undefined) throw new UsageError(`account ${account} is not linked`);
    const options = { timeoutMs: requestTimeoutMs, retry: false as const };
    return effectOf(action.type).find(client, account, action, window, options);
  };
}

/** A refusal did nothing; no answer, an odd answer or a 5xx may have done it. */
function endingOf(error: unknown): Sending {
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof RateLimitError) {
    return error.resetAt === undefined
      ? { kind: "limited", reason }
      : { kind: "limited", reason, resetAt: error.resetAt };
  }
  if (error instanceof PlatformError) {
    if (error.executed === "unknown") return { kind: "unknown", reason };
    return { kind: isAboutAction(error) ? "refused" : "not-now", reason };
  }
  if (error instanceof UnreachableError) {
    return { kind: error.sent === "no" ? "not-sent" : "unknown", reason };
  }
  if (error instanceof CredentialError) return { kind: "not-now", reason };
  if (error instanceof UsageError) return { kind: "refused", reason };
  return { kind: "unknown", reason };
}
