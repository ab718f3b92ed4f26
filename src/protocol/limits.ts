/**
 * Limits of the platform's API. Times are in milliseconds unless the name has another unit.
 *
 * Source: "Limits", "Replay query parameters" and "Longform posts" in the API documentation.
 */

/** Maximum weighted characters of a post that is not longform. */
export const POST_LENGTH = 280;

/** Maximum characters of a person's name (assumed, not documented). */
export const NAME_LENGTH = 50;

/** Maximum characters of a handle, without `@` (assumed, not documented). */
export const HANDLE_LENGTH = 15;

/** Maximum characters of the shortened `text` of a longform post in an event body. */
export const LONGFORM_TEXT_LENGTH = 140;

/** Maximum age of the events that a replay can deliver again. */
export const REPLAY_WINDOW_MS = 24 * 60 * 60_000;

/** Minimum age of a replay's `from_date` when the replay starts. */
export const REPLAY_FROM_MIN_AGE_MS = 31 * 60_000;

/** Minimum age of a replay's `to_date` when the replay starts. */
export const REPLAY_TO_MIN_AGE_MS = 10 * 60_000;

/** Maximum number of entries of an app's callback allowlist. */
export const CALLBACK_URLS_PER_APP = 10;

/** Maximum number of ids in an `app_event_tag_ids` or `app_list_ids` parameter. */
export const ADS_IDS_PER_REQUEST = 200;

/** Range and default of the query parameter `count` (results per page) of the advertising endpoints. */
export const ADS_COUNT = { min: 1, max: 1000, default: 200 } as const;

/**
 * Maximum numbers by plan: webhooks, unique account activity subscriptions, activity interface subscriptions, apps.
 * Free and basic plans have no webhook (assumed). The activity interface counts one subscription per account and event type.
 */
export const PLAN_LIMITS = {
  free: { webhooks: 0, subscriptions: 0, activitySubscriptions: 3, apps: 1 },
  basic: { webhooks: 0, subscriptions: 0, activitySubscriptions: 3, apps: 2 },
  pro: { webhooks: 1, subscriptions: 1, activitySubscriptions: 3, apps: 3 },
  "pay-per-use": { webhooks: 1, subscriptions: 3, activitySubscriptions: 3, apps: 3 },
  enterprise: {
    webhooks: 5,
    subscriptions: 5000,
    activitySubscriptions: 5000,
    apps: Number.POSITIVE_INFINITY,
  },
} as const;

export type Plan = keyof typeof PLAN_LIMITS;
