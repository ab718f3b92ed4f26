import type { PostField } from "../../protocol/fields.ts";
import type { TextEntities } from "./entities.ts";

/** Counters of a post. The platform documents the first four; the optional ones may be missing. */
export interface PostMetrics {
  readonly repost_count: number;
  readonly reply_count: number;
  readonly like_count: number;
  readonly quote_count: number;
  readonly bookmark_count?: number;
  readonly impression_count?: number;
}

/** Counters of a post that only its author sees. */
export interface PrivatePostMetrics {
  readonly impression_count?: number;
  readonly like_count?: number;
  readonly reply_count?: number;
  readonly repost_count?: number;
  readonly user_profile_clicks?: number;
  readonly url_link_clicks?: number;
  readonly engagements?: number;
}

/** Another post to which this post refers. `retweeted` is the API's word in both dialects. */
export interface ReferencedPost {
  readonly type: "retweeted" | "quoted" | "replied_to";
  readonly id: string;
}

/** Setting for the users who may reply to a post. */
export type ReplySettings =
  | "everyone"
  | "mentionedUsers"
  | "following"
  | "subscribers"
  | "verified"
  | "other";

/** Countries or scope in which content is withheld. */
export interface Withheld {
  readonly copyright?: boolean;
  readonly country_codes?: readonly string[];
  readonly scope?: "tweet" | "user";
}

/**
 * A post with every field that can be selected. Optional fields may be missing even when selected; the others are
 * present whenever selected.
 */
export interface Post extends Partial<Record<PostField, unknown>> {
  /** Id of decimal digits; may exceed 2^53. */
  readonly id: string;
  readonly text: string;
  /** Ids of the edited versions; included by default on posts created on or after 2022-09-29. */
  readonly edit_history_post_ids?: readonly string[];
  readonly article?: Readonly<Record<string, unknown>>;
  readonly article_title?: string;
  readonly attachments?: {
    readonly media_keys?: readonly string[];
    readonly poll_ids?: readonly string[];
    readonly media_source_tweet_id?: readonly string[];
  };
  /** Id of the author in `includes.users`. */
  readonly author_id: string;
  readonly card_uri?: string;
  readonly community_id?: string;
  readonly context_annotations?: readonly {
    readonly domain: { readonly id: string; readonly name?: string; readonly description?: string };
    readonly entity: { readonly id: string; readonly name?: string; readonly description?: string };
  }[];
  readonly conversation_id: string;
  /** Creation of the post in ISO 8601 with milliseconds, UTC. */
  readonly created_at: string;
  readonly display_text_range?: readonly [number, number];
  readonly edit_controls?: {
    readonly is_edit_eligible: boolean;
    readonly editable_until: string;
    readonly edits_remaining: number;
  };
  readonly entities?: TextEntities;
  readonly geo?: {
    readonly place_id?: string;
    readonly coordinates?: {
      readonly type: "Point";
      readonly coordinates: readonly [number, number];
    };
  };
  readonly in_reply_to_user_id?: string;
  /** Language as a BCP 47 tag; `und` if undetermined. */
  readonly lang?: string;
  readonly matched_media_notes?: readonly unknown[];
  readonly media_metadata?: readonly unknown[];
  readonly non_public_metrics?: PrivatePostMetrics;
  /** The whole text of a post over 280 characters. */
  readonly note_post?: { readonly text: string; readonly entities?: TextEntities };
  readonly note_request_suggestions?: unknown;
  readonly organic_metrics?: PrivatePostMetrics;
  readonly paid_partnership?: boolean;
  readonly possibly_sensitive?: boolean;
  readonly promoted_metrics?: PrivatePostMetrics;
  readonly public_metrics: PostMetrics;
  readonly referenced_posts?: readonly ReferencedPost[];
  readonly reply_settings?: ReplySettings;
  readonly scopes?: { readonly followers?: boolean };
  /** Name of the app that made the post. */
  readonly source?: string;
  readonly suggested_source_links?: readonly unknown[];
  readonly suggested_source_links_with_counts?: unknown;
  readonly withheld?: Withheld;
}
