/**
 * Numbers of the interface. Times are milliseconds unless the name says otherwise.
 *
 * Source: "Limits", "Replay query parameters" and "Longform posts" of the interface.
 */

/** Weighted characters of a post before it is longform. */
export const POST_LENGTH = 280;

/** Maximum characters of a person's name (assumed). */
export const NAME_LENGTH = 50;

/** Maximum characters of a handle, without `@` (assumed). */
export const HANDLE_LENGTH = 15;

/** Maximum characters of the shortened `text` of a longform post in an event body. */
export const LONGFORM_TEXT_LENGTH = 140;

/** How far back a replay may reach. */
export const REPLAY_WINDOW_MS = 24 * 60 * 60_000;

/** How old `from_date` of a replay must be at least. */
export const REPLAY_FROM_MIN_AGE_MS = 31 * 60_000;

/** How old `to_date` of a replay must be at least. */
export const REPLAY_TO_MIN_AGE_MS = 10 * 60_000;

/** Maximum number of entries of an app's callback allowlist. */
export const CALLBACK_URLS_PER_APP = 10;

/** Ids in one `app_event_tag_ids` or `app_list_ids` parameter. */
export const ADS_IDS_PER_REQUEST = 200;

/** `count` of the advertising lists. */
export const ADS_COUNT = { min: 1, max: 1000, default: 200 } as const;

/**
 * Webhooks, unique subscriptions of account activity and subscriptions of the activity interface by plan; free and
 * basic plans have no webhook (assumed). An account takes one subscription of the activity interface for each event type.
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
