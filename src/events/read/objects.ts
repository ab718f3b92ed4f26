/**
 * A user of the data interface (field names with `post`, not `tweet`), with the fields that events need.
 *
 * In all objects of this file, fields beyond the ids may be missing. They are then missing in the event too.
 */
export interface ReadUser {
  readonly id: string;
  readonly name?: string | undefined;
  readonly username?: string | undefined;
  /** Relations of the reading account to this user, such as `blocking`. */
  readonly connection_status?: readonly string[] | undefined;
  /** Time of the user's sign-up, in ISO 8601. */
  readonly created_at?: string | undefined;
  readonly description?: string | undefined;
  readonly location?: string | undefined;
  readonly profile_image_url?: string | undefined;
  readonly protected?: boolean | undefined;
  readonly public_metrics?: ReadUserMetrics | undefined;
  readonly url?: string | undefined;
  readonly verified?: boolean | undefined;
}

interface ReadUserMetrics {
  readonly followers_count?: number;
  readonly following_count?: number;
  readonly post_count?: number;
  readonly listed_count?: number;
  readonly like_count?: number;
}

/** A message event of `GET /2/dm_events`. */
export interface ReadMessage {
  readonly id: string;
  readonly event_type: string;
  readonly text?: string | undefined;
  readonly sender_id?: string | undefined;
  readonly dm_conversation_id?: string | undefined;
  /** User ids of the participants of a group, if the interface shows them. */
  readonly participant_ids?: readonly string[] | undefined;
  /** Time of the message event, in ISO 8601. */
  readonly created_at: string;
  readonly entities?: ReadEntities | undefined;
  readonly attachments?: { readonly media_keys?: readonly string[] } | undefined;
}

/** A post of a timeline or a search. */
export interface ReadPost {
  readonly id: string;
  readonly text: string;
  readonly author_id: string;
  /** Time of the post, in ISO 8601. */
  readonly created_at: string;
  /** Start and end of the author's own text in `text`, after the handles of the thread. */
  readonly display_text_range?: readonly number[] | undefined;
  /** Ids of all versions, oldest first. */
  readonly edit_history_post_ids?: readonly string[] | undefined;
  readonly entities?: ReadEntities | undefined;
  readonly in_reply_to_user_id?: string | undefined;
  readonly attachments?: { readonly media_keys?: readonly string[] } | undefined;
  /** Name of the app that created the post. */
  readonly source?: string | undefined;
  readonly lang?: string | undefined;
  /** Full text of a longform post. */
  readonly note_post?:
    | { readonly text: string; readonly entities?: ReadEntities | undefined }
    | undefined;
  readonly possibly_sensitive?: boolean | undefined;
  readonly public_metrics?: ReadPostMetrics | undefined;
  readonly referenced_posts?: readonly { readonly type: string; readonly id: string }[] | undefined;
}

interface ReadPostMetrics {
  readonly repost_count?: number;
  readonly reply_count?: number;
  readonly like_count?: number;
  readonly quote_count?: number;
}

/** Links, mentions and tags of a text. The platform documents that lists, ids and addresses may be null. */
export interface ReadEntities {
  readonly hashtags?: readonly ReadTag[] | null;
  readonly cashtags?: readonly ReadTag[] | null;
  readonly mentions?: readonly ReadMention[] | null;
  readonly urls?: readonly ReadLink[] | null;
}

/** A hashtag or cashtag. */
export interface ReadTag extends ReadSpan {
  readonly tag: string;
}

interface ReadMention extends ReadSpan {
  readonly username: string;
  readonly id?: string | null;
}

/** A link in a text. */
export interface ReadLink extends ReadSpan {
  readonly url: string;
  readonly expanded_url?: string | null;
  readonly display_url?: string | null;
  /** Key of the picture or video to which the link leads. */
  readonly media_key?: string | null;
}

interface ReadSpan {
  /** Position of the first character, counted from 0. */
  readonly start: number;
  /** Position after the last character. */
  readonly end: number;
}

/** A picture or video. */
export interface ReadMedia {
  readonly media_key: string;
  readonly type: string;
  readonly url?: string | undefined;
  readonly preview_image_url?: string | undefined;
}

/** Related objects that the platform's response returns under `includes`. */
export interface ReadIncludes {
  readonly users?: readonly ReadUser[];
  readonly posts?: readonly ReadPost[];
  readonly media?: readonly ReadMedia[];
}

/** Fields and expansions to request with messages, so that the events made from them are complete. */
export const MESSAGE_SELECTION = {
  dmEventFields: [
    "attachments",
    "created_at",
    "dm_conversation_id",
    "entities",
    "event_type",
    "id",
    "participant_ids",
    "sender_id",
    "text",
  ],
  userFields: [
    "created_at",
    "description",
    "location",
    "profile_image_url",
    "protected",
    "public_metrics",
    "url",
    "verified",
  ],
  mediaFields: ["media_key", "preview_image_url", "type", "url"],
  expansions: ["attachments.media_keys", "sender_id"],
} as const;

/** Fields and expansions to request with posts, so that the events made from them are complete. */
export const POST_SELECTION = {
  postFields: [
    "attachments",
    "author_id",
    "created_at",
    "display_text_range",
    "edit_history_post_ids",
    "entities",
    "id",
    "in_reply_to_user_id",
    "lang",
    "note_post",
    "possibly_sensitive",
    "public_metrics",
    "referenced_posts",
    "source",
    "text",
  ],
  mediaFields: MESSAGE_SELECTION.mediaFields,
  userFields: [...MESSAGE_SELECTION.userFields, "connection_status"],
  expansions: [
    "attachments.media_keys",
    "author_id",
    "referenced_posts.id",
    "referenced_posts.id.attachments.media_keys",
    "referenced_posts.id.author_id",
  ],
} as const;
