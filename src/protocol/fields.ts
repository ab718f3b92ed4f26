/**
 * Selectable fields of posts; the other lists are for users, media, polls, places, message events, lists, spaces and
 * topics. All names are spelled in the post dialect.
 *
 * Source: "Field-selectable objects" in the platform's API documentation, whose lists are incomplete. The complete
 * lists come from the live service's API description.
 */
export const POST_FIELDS = [
  "article",
  "article_title",
  "attachments",
  "author_id",
  "card_uri",
  "community_id",
  "context_annotations",
  "conversation_id",
  "created_at",
  "display_text_range",
  "edit_controls",
  "edit_history_post_ids",
  "entities",
  "geo",
  "id",
  "in_reply_to_user_id",
  "lang",
  "matched_media_notes",
  "media_metadata",
  "non_public_metrics",
  "note_post",
  "note_request_suggestions",
  "organic_metrics",
  "paid_partnership",
  "possibly_sensitive",
  "promoted_metrics",
  "public_metrics",
  "referenced_posts",
  "reply_settings",
  "scopes",
  "source",
  "suggested_source_links",
  "suggested_source_links_with_counts",
  "text",
  "withheld",
] as const;

export const USER_FIELDS = [
  "affiliation",
  "confirmed_email",
  "connection_status",
  "created_at",
  "description",
  "entities",
  "id",
  "is_identity_verified",
  "location",
  "most_recent_post_id",
  "name",
  "parody",
  "pinned_post_id",
  "profile_banner_url",
  "profile_image_url",
  "protected",
  "public_metrics",
  "receives_your_dm",
  "subscribes_to_you",
  "subscription",
  "subscription_type",
  "url",
  "username",
  "verified",
  "verified_followers_count",
  "verified_type",
  "withheld",
] as const;

export const MEDIA_FIELDS = [
  "alt_text",
  "duration_ms",
  "height",
  "media_key",
  "non_public_metrics",
  "organic_metrics",
  "preview_image_url",
  "promoted_metrics",
  "public_metrics",
  "type",
  "url",
  "variants",
  "width",
] as const;

export const POLL_FIELDS = [
  "duration_minutes",
  "end_datetime",
  "id",
  "options",
  "voting_status",
] as const;

export const PLACE_FIELDS = [
  "contained_within",
  "country",
  "country_code",
  "full_name",
  "geo",
  "id",
  "name",
  "place_type",
] as const;

export const DM_EVENT_FIELDS = [
  "attachments",
  "created_at",
  "dm_conversation_id",
  "entities",
  "event_type",
  "id",
  "participant_ids",
  "referenced_posts",
  "sender_id",
  "text",
] as const;

export const LIST_FIELDS = [
  "created_at",
  "description",
  "follower_count",
  "id",
  "member_count",
  "name",
  "owner_id",
  "private",
] as const;

export const SPACE_FIELDS = [
  "created_at",
  "creator_id",
  "ended_at",
  "host_ids",
  "id",
  "invited_user_ids",
  "is_ticketed",
  "lang",
  "participant_count",
  "scheduled_start",
  "speaker_ids",
  "started_at",
  "state",
  "subscriber_count",
  "title",
  "topic_ids",
  "updated_at",
] as const;

export const TOPIC_FIELDS = ["description", "id", "name"] as const;

/** Fields that a response contains without being selected; `edit_history_post_ids` since {@link EDIT_HISTORY_SINCE}. */
export const DEFAULT_FIELDS = {
  post: ["id", "text", "edit_history_post_ids"],
  user: ["id", "name", "username"],
  media: ["media_key", "type"],
  poll: ["id", "options"],
  place: ["id", "full_name"],
  dm_event: ["id", "event_type", "text"],
  list: ["id", "name"],
  space: ["id", "state"],
  topic: ["id", "name"],
} as const;

/** Posts created from this time on have `edit_history_post_ids` by default. */
export const EDIT_HISTORY_SINCE = Date.UTC(2022, 8, 29);

export const POST_EXPANSIONS = [
  "article.cover_media",
  "article.media_entities",
  "attachments.media_keys",
  "attachments.media_source_tweet",
  "attachments.poll_ids",
  "author_id",
  "edit_history_post_ids",
  "entities.mentions.username",
  "entities.note.mentions.username",
  "geo.place_id",
  "in_reply_to_user_id",
  "referenced_posts",
  "referenced_posts.id",
  "referenced_posts.id.attachments.media_keys",
  "referenced_posts.id.author_id",
  "username",
] as const;

export const USER_EXPANSIONS = [
  "affiliation",
  "affiliation.user_id",
  "most_recent_post_id",
  "pinned_post_id",
] as const;

export const DM_EVENT_EXPANSIONS = [
  "attachments.media_keys",
  "participant_ids",
  "referenced_posts",
  "referenced_posts.id",
  "sender_id",
] as const;

export const LIST_EXPANSIONS = ["owner_id"] as const;

export const SPACE_EXPANSIONS = [
  "creator_id",
  "host_ids",
  "invited_user_ids",
  "speaker_ids",
  "topic_ids",
] as const;

export type PostField = (typeof POST_FIELDS)[number];
export type UserField = (typeof USER_FIELDS)[number];
export type MediaField = (typeof MEDIA_FIELDS)[number];
export type PollField = (typeof POLL_FIELDS)[number];
export type PlaceField = (typeof PLACE_FIELDS)[number];
export type DmEventField = (typeof DM_EVENT_FIELDS)[number];
export type ListField = (typeof LIST_FIELDS)[number];
export type SpaceField = (typeof SPACE_FIELDS)[number];
export type TopicField = (typeof TOPIC_FIELDS)[number];
export type PostExpansion = (typeof POST_EXPANSIONS)[number];
export type UserExpansion = (typeof USER_EXPANSIONS)[number];
export type DmEventExpansion = (typeof DM_EVENT_EXPANSIONS)[number];
export type ListExpansion = (typeof LIST_EXPANSIONS)[number];
export type SpaceExpansion = (typeof SPACE_EXPANSIONS)[number];
