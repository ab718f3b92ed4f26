import type { MediaField, PlaceField, PollField } from "../../protocol/fields.ts";

/** Number of a video's views, and numbers of playbacks that reached 0, 25, 50, 75 and 100 percent of the video. */
export interface PlaybackMetrics {
  readonly playback_0_count?: number;
  readonly playback_25_count?: number;
  readonly playback_50_count?: number;
  readonly playback_75_count?: number;
  readonly playback_100_count?: number;
  readonly view_count?: number;
}

/** A photo, video or animated picture of a post, with every field that can be selected. */
export interface Media extends Partial<Record<MediaField, unknown>> {
  readonly media_key: string;
  readonly type: "photo" | "video" | "animated_gif";
  readonly alt_text?: string;
  readonly duration_ms?: number;
  readonly height?: number;
  readonly non_public_metrics?: PlaybackMetrics;
  readonly organic_metrics?: PlaybackMetrics;
  readonly preview_image_url?: string;
  readonly promoted_metrics?: PlaybackMetrics;
  readonly public_metrics?: PlaybackMetrics;
  readonly url?: string;
  readonly variants?: readonly {
    readonly bit_rate?: number;
    readonly content_type: string;
    readonly url: string;
  }[];
  readonly width?: number;
}

/** A poll of a post, with every field that can be selected. */
export interface Poll extends Partial<Record<PollField, unknown>> {
  readonly id: string;
  readonly options: readonly {
    readonly position: number;
    readonly label: string;
    readonly votes: number;
  }[];
  /** Duration of the poll in minutes, from 5 to 10080. */
  readonly duration_minutes: number;
  /** End of the poll in ISO 8601 with milliseconds, UTC. */
  readonly end_datetime: string;
  readonly voting_status: "open" | "closed";
}

/** A place of a post, with every field that can be selected. */
export interface Place extends Partial<Record<PlaceField, unknown>> {
  readonly id: string;
  readonly full_name: string;
  readonly contained_within?: readonly string[];
  readonly country?: string;
  /** Country code of two capital letters. */
  readonly country_code?: string;
  readonly geo?: {
    readonly type: "Feature";
    readonly bbox: readonly number[];
    readonly properties: Readonly<Record<string, unknown>>;
  };
  readonly name?: string;
  readonly place_type?: "poi" | "neighborhood" | "city" | "admin" | "country" | "unknown";
}
