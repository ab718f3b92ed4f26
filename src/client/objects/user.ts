import type { UserField } from "../../protocol/fields.ts";
import type { TextEntities, UrlEntity } from "./entities.ts";
import type { Withheld } from "./post.ts";

/** Counters of a user. */
export interface UserMetrics {
  readonly followers_count: number;
  readonly following_count: number;
  readonly post_count: number;
  readonly listed_count: number;
  readonly like_count?: number;
  readonly media_count?: number;
}

/** Relationship between the requesting user and this user. */
export type ConnectionStatus =
  | "follow_request_received"
  | "follow_request_sent"
  | "blocking"
  | "followed_by"
  | "following"
  | "muting";

/**
 * A user with every field that can be selected. Optional fields may be missing even when selected; the others are
 * present whenever selected.
 */
export interface User extends Partial<Record<UserField, unknown>> {
  /** Id of decimal digits; may exceed 2^53. */
  readonly id: string;
  /** Display name. */
  readonly name: string;
  /** Handle of up to 15 letters, digits and underscores, without the at sign. */
  readonly username: string;
  readonly affiliation?: {
    readonly badge_url?: string;
    readonly description?: string;
    readonly url?: string;
    readonly user_id?: readonly string[];
  };
  /** Email address, present only with the permission to see it. */
  readonly confirmed_email?: string;
  readonly connection_status?: readonly ConnectionStatus[];
  /** Creation of the account in ISO 8601 with milliseconds, UTC. */
  readonly created_at: string;
  readonly description: string;
  readonly entities?: {
    readonly url?: { readonly urls?: readonly UrlEntity[] };
    readonly description?: TextEntities;
  };
  readonly is_identity_verified?: boolean;
  readonly location?: string;
  readonly most_recent_post_id?: string;
  readonly parody?: boolean;
  readonly pinned_post_id?: string;
  readonly profile_banner_url?: string;
  readonly profile_image_url?: string;
  readonly protected: boolean;
  readonly public_metrics: UserMetrics;
  readonly receives_your_dm?: boolean;
  readonly subscribes_to_you?: boolean;
  readonly subscription?: { readonly subscribes_to_you?: boolean };
  readonly subscription_type?: "Basic" | "Premium" | "PremiumPlus" | "None";
  readonly url?: string;
  readonly verified: boolean;
  readonly verified_followers_count?: number;
  readonly verified_type?: "blue" | "government" | "business" | "none";
  readonly withheld?: Withheld;
}
