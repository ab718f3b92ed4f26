import type { DmEventField } from "../../protocol/fields.ts";
import type { TextEntities } from "./entities.ts";

/** Kinds of message events. */
export const DM_EVENT_TYPES = ["MessageCreate", "ParticipantsJoin", "ParticipantsLeave"] as const;

export type DmEventType = (typeof DM_EVENT_TYPES)[number];

/**
 * An event of a message conversation, with every field that can be selected. Fields that are
 * optional here may be missing even when they were selected: joining has no text, writing no participants.
 */
export interface DmEvent extends Partial<Record<DmEventField, unknown>> {
  readonly id: string;
  readonly event_type: DmEventType;
  /** Of `MessageCreate` only. */
  readonly text?: string;
  readonly attachments?: { readonly media_keys?: readonly string[] };
  /** ISO 8601 with milliseconds, UTC. */
  readonly created_at: string;
  /** `{smaller user id}-{larger user id}` between two, 15 to 19 digits for a group. */
  readonly dm_conversation_id: string;
  readonly entities?: TextEntities;
  /** Of joining and leaving; there by default. */
  readonly participant_ids?: readonly string[];
  readonly referenced_posts?: readonly { readonly id: string }[];
  readonly sender_id?: string;
}
