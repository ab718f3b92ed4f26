import { CredentialError, PlatformError, RateLimitError } from "../../client/errors.ts";
import { AnswerbackError, UsageError } from "../../errors.ts";
import { messageOf } from "../../system/error-message.ts";
import { type BackOff, backOffMs } from "../loop/back-off.ts";

/** Problem of the webhook link, described for the operator. */
export interface LinkTrouble {
  /** Reason that the platform gave, with advice if the operator can solve the problem. */
  readonly reason: string;
  /**
   * `platform`: the platform is unreachable or faulty; temporary. `limit`: a rate limit with a known end. `operator`: persists
   * until the operator acts.
   */
  readonly kind: "platform" | "limit" | "operator";
  /** End of the rate limit, in milliseconds since the epoch by the platform's clock. */
  readonly until?: number;
}

const CHALLENGE =
  "check that webhook.url leads to the address of webhook.listen, and that app.consumer_secret is the app's";

/** Advice for each reason that the platform gives. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ["CrcValidationFailed", CHALLENGE],
  ["UrlValidationFailed", "set webhook.url to a public https URL without a port"],
  [
    "WebhookLimitExceeded",
    "remove an unused webhook (GET /2/webhooks lists them), or set source: polling",
  ],
  [
    "SubscriptionLimitExceeded",
    "end unused subscriptions, name fewer accounts in the settings, or choose a larger plan",
  ],
]);

const CREDENTIALS = "check app.bearer_token, and that the app's plan has webhooks";

/** Creates the error of a webhook that stays invalid although its validation was requested. */
export function notAnswered(): UsageError {
  return new UsageError("the platform's challenge was not answered", { hint: CHALLENGE });
}

/** Classifies an error, and adds advice if the operator can solve it. */
export function troubleOf(error: unknown): LinkTrouble {
  const reason = messageOf(error);
  if (error instanceof RateLimitError) {
    const { resetAt } = error;
    return { kind: "limit", reason, ...(resetAt !== undefined && { until: resetAt }) };
  }
  if (error instanceof CredentialError || error instanceof UsageError) {
    return operators(reason, error.hint ?? CREDENTIALS);
  }
  const advice = adviceOn(error);
  return advice === undefined ? { kind: "platform", reason } : operators(reason, advice);
}

/** Returns the advice for the operator if the platform has refused a request; undefined without advice. */
export function adviceOn(error: unknown): string | undefined {
  if (!(error instanceof PlatformError)) return undefined;
  const advice = ADVICE.get(error.reason ?? "");
  if (advice !== undefined) return advice;
  const isRefusal = error.status === 401 || error.status === 403;
  return isRefusal && !error.isFromProxy ? (hintOf(error) ?? CREDENTIALS) : undefined;
}

function operators(reason: string, advice: string): LinkTrouble {
  return { kind: "operator", reason: `${reason.replace(/\.$/, "")}; ${advice}` };
}

function hintOf(error: unknown): string | undefined {
  return error instanceof AnswerbackError ? error.hint : undefined;
}

/** Back-offs: short for the platform's own faults, long for problems that the operator has to solve. */
const SOON: BackOff = { leastMs: 200, baseMs: 1_000, mostMs: 60_000 };
const SLOWLY: BackOff = { leastMs: 10_000, baseMs: 20_000, mostMs: 10 * 60_000 };

/**
 * Computes the real milliseconds until the next try.
 *
 * @param failed Consecutive failed tries, from 1.
 * @param now Milliseconds since the epoch, by the platform's clock.
 */
export function waitAfter(
  trouble: LinkTrouble,
  failed: number,
  now: number,
  random: number,
): number {
  const soon = backOffMs(SOON, failed, random);
  switch (trouble.kind) {
    case "operator":
      return backOffMs(SLOWLY, failed, random);
    case "limit":
      return (
        Math.min(SLOWLY.mostMs, Math.max(0, (trouble.until ?? now + SOON.mostMs) - now)) + soon
      );
    case "platform":
      return soon;
  }
}
