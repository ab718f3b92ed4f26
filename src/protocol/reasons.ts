/**
 * Reasons before the colon in `errors[].message` of webhook and account activity errors.
 *
 * Source: "Webhook and account activity errors" in the platform's API documentation.
 */
export const REASONS = [
  "CrcValidationFailed",
  "UrlValidationFailed",
  "DuplicateUrlFailed",
  "WebhookLimitExceeded",
  "WebhookIdInvalid",
  "DuplicateSubscriptionFailed",
  "SubscriptionLimitExceeded",
  "SubscriptionNotFound",
  "QueryParamInvalid",
  "ReplayConflictError",
] as const;

export type ErrorReason = (typeof REASONS)[number];
