import type { ListField } from "../../protocol/fields.ts";

/**
 * A user's list of people, with every field that can be selected. Optional fields may be missing even when
 * selected.
 */
export interface PeopleList extends Partial<Record<ListField, unknown>> {
  readonly id: string;
  /** Name of the list, up to 25 characters. */
  readonly name: string;
  /** Creation of the list in ISO 8601 with milliseconds, UTC. */
  readonly created_at?: string;
  /** Description of up to 100 characters. */
  readonly description?: string;
  readonly follower_count: number;
  readonly member_count: number;
  readonly owner_id?: string;
  /** Whether only the list's owner sees it. */
  readonly private: boolean;
}
