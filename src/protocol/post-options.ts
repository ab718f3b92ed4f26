/** Values of `reply_settings`: groups of users who can reply to a post. Without the setting, all users can reply. */
export const REPLY_SETTINGS = ["following", "mentionedUsers", "subscribers", "verified"] as const;

/** Group of users who can reply to a post. */
export type ReplyGroup = (typeof REPLY_SETTINGS)[number];

/** Limits of a poll. Source: API description 2.167 of the live service (the real platform). */
export const POLL_LIMITS = {
  options: { min: 2, max: 4 },
  /** Length of an option's label in characters. */
  label: { min: 1, max: 25 },
  /** Duration in minutes; the longest is seven days. */
  minutes: { min: 5, max: 10_080 },
} as const;
