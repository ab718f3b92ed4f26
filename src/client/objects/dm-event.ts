import type { DmEventField } from "../../protocol/fields.ts";
import type { TextEntities } from "./entities.ts";

/** Kinds of message events. */
export const DM_EVENT_TYPES = ["MessageCreate", "ParticipantsJoin", "ParticipantsLeave"] as const;

export type DmEventType = (typeof DM_EVENT_TYPES)[number];

/**
 * An event of a message conversation, with every field that can be selected. Optional fields may be missing even when
 * selected: a join has no text, and a message has no list of participants.
 */
export interface DmEvent extends Partial<Record<DmEventField, unknown>> {
  readonly id: string;
  readonly event_type: DmEventType;
  /** Text of the message; present for `MessageCreate` only. */
  readonly text?: string;
  readonly attachments?: { readonly media_keys?: readonly string[] };
  /** Time of the event in ISO 8601 with milliseconds, UTC. */
  readonly created_at: string;
  /** Id of the conversation: `{smaller user id}-{larger user id}` between two, 15 to 19 digits for a group. */
  readonly dm_conversation_id: string;
  readonly entities?: TextEntities;
  /** Ids of the people who joined or left, present also without field selection. */
  readonly participant_ids?: readonly string[];
  readonly referenced_posts?: readonly { readonly id: string }[];
  readonly sender_id?: string;
}
