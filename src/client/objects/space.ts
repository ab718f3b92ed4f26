import type { SpaceField, TopicField } from "../../protocol/fields.ts";

/**
 * A conversation by voice, with every field that can be selected. Optional fields may be missing even when selected.
 * Times are ISO 8601 with milliseconds, UTC.
 */
export interface Space extends Partial<Record<SpaceField, unknown>> {
  /** Id of the space, up to 13 letters and digits. */
  readonly id: string;
  readonly state: "live" | "scheduled" | "ended";
  readonly created_at?: string;
  readonly creator_id?: string;
  readonly ended_at?: string;
  readonly host_ids?: readonly string[];
  readonly invited_user_ids?: readonly string[];
  readonly is_ticketed?: boolean;
  readonly lang?: string;
  readonly participant_count?: number;
  readonly scheduled_start?: string;
  readonly speaker_ids?: readonly string[];
  readonly started_at?: string;
  readonly subscriber_count?: number;
  readonly title?: string;
  readonly topic_ids?: readonly string[];
  readonly updated_at?: string;
}

/** Topic of a space. */
export interface SpaceTopic extends Partial<Record<TopicField, unknown>> {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
}
