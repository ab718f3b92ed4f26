import { CredentialError, PlatformError, RateLimitError } from "../../client/errors.ts";
import { AnswerbackError, UsageError } from "../../errors.ts";
import { messageOf } from "../../system/error-message.ts";
import { type BackOff, backOffMs } from "../loop/back-off.ts";

/** Why the link does not stand, for those who can do something about it. */
export interface LinkTrouble {
  /** What the platform said, and where it is the operator's to solve, what to do. */
  readonly reason: string;
  /**
   * `platform`: it is away or out of order, and passes by itself. `limit`: it says when to come back.
   * `operator`: nothing changes until somebody changes it.
   */
  readonly kind: "platform" | "limit" | "operator";
  /** Of a limit: when it ends, in milliseconds since the epoch by the platform's clock. */
  readonly until?: number;
}

const CHALLENGE =
  "check that webhook.url leads to the address of webhook.listen, and that app.consumer_secret is the app's";

/** What to do about each reason that the platform gives. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ["CrcValidationFailed", CHALLENGE],
  ["UrlValidationFailed", "set webhook.url to a public https URL without a port"],
  [
    "WebhookLimitExceeded",
    "remove one that nobody uses any more (GET /2/webhooks lists them), or set source: polling",
  ],
  [
    "SubscriptionLimitExceeded",
    "end subscriptions that nobody uses any more, name fewer accounts in the settings, or take a larger plan",
  ],
]);

const CREDENTIALS = "check app.bearer_token, and that the app's plan has webhooks";

/** The error of a webhook that stays invalid although its validation was asked for. */
export function notAnswered(): UsageError {
  return new UsageError("the platform's challenge was not answered", { hint: CHALLENGE });
}

/** What kind of trouble an error is, and what to do. */
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

/** What the operator can do about a refusal of the platform; undefined where there is nothing to be done. */
export function adviceOn(error: unknown): string | undefined {
  if (!(error instanceof PlatformError)) return undefined;
  const advice = ADVICE.get(error.reason ?? "");
  if (advice !== undefined) return advice;
  const isRefusal = error.status === 401 || error.status === 403;
  return isRefusal ? (hintOf(error) ?? CREDENTIALS) : undefined;
}

function operators(reason: string, advice: string): LinkTrouble {
  return { kind: "operator", reason: `${reason.replace(/\.$/, "")}; ${advice}` };
}

function hintOf(error: unknown): string | undefined {
  return error instanceof AnswerbackError ? error.hint : undefined;
}

/** The platform is back soon; what an operator has to solve takes longer. */
const SOON: BackOff = { leastMs: 200, baseMs: 1_000, mostMs: 60_000 };
const SLOWLY: BackOff = { leastMs: 10_000, baseMs: 20_000, mostMs: 10 * 60_000 };

/**
 * Real milliseconds until the next try.
 *
 * @param failed Tries in succession that came to trouble, from 1.
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
