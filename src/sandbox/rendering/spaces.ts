import { SPACE_FIELDS } from "../../protocol/fields.ts";
import type { SpaceRow } from "../model/spaces.ts";
import type { Includes } from "./includes.ts";
import { pick, type Selection, type WireObject } from "./selection.ts";

/** Renders a space with its default and selected fields; adds referenced objects to `includes`. */
export function renderSpace(
  space: SpaceRow,
  { fields, expansions }: Selection,
  includes: Includes,
): WireObject {
  const people = {
    creator_id: [space.creatorId],
    host_ids: space.hostIds,
    invited_user_ids: space.invitedUserIds,
    speaker_ids: space.speakerIds,
  };
  for (const [name, ids] of Object.entries(people)) {
    if (expansions.has(name)) for (const id of ids) includes.user(id, name);
  }
  if (expansions.has("topic_ids")) for (const one of space.topics) includes.topic(one.id, one);
  return renderFields(space, new Set([...fields.space, ...expansions]));
}

/** Returns all fields of a space, in the form of the control interface. */
export function renderWholeSpace(space: SpaceRow): WireObject {
  return renderFields(space, new Set(SPACE_FIELDS));
}

function renderFields(space: SpaceRow, selected: ReadonlySet<string>): WireObject {
  return pick("space", selected, {
    id: () => space.id,
    state: () => space.state,
    created_at: () => iso(space.at),
    creator_id: () => space.creatorId,
    ended_at: () => iso(space.endedAt),
    host_ids: () => some(space.hostIds),
    invited_user_ids: () => some(space.invitedUserIds),
    is_ticketed: () => space.isTicketed,
    lang: () => space.lang,
    participant_count: () => space.participantCount,
    scheduled_start: () => iso(space.scheduledStart),
    speaker_ids: () => some(space.speakerIds),
    started_at: () => iso(space.startedAt),
    subscriber_count: () => space.subscriberCount,
    title: () => (space.title === "" ? undefined : space.title),
    topic_ids: () => some(space.topics.map(({ id }) => id)),
    updated_at: () => iso(space.updatedAt),
  });
}

function iso(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}

function some(ids: readonly string[]): readonly string[] | undefined {
  return ids.length === 0 ? undefined : ids;
}
