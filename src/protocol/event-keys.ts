/**
 * Top-level keys of webhook bodies, spelled in the post dialect.
 *
 * Source: "Event kinds" and "Replay job status events" in the platform's API documentation.
 */
export const EVENT_KEYS = [
  "post_create_events",
  "favorite_events",
  "follow_events",
  "block_events",
  "mute_events",
  "user_event",
  "direct_message_events",
  "direct_message_indicate_typing_events",
  "direct_message_mark_read_events",
  "post_delete_events",
  "replay_job_status",
] as const;

export type EventKey = (typeof EVENT_KEYS)[number];
