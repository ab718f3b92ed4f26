import { media } from "../model/media.ts";
import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import type { MessageRow } from "../model/messages.ts";
import type { Includes } from "./includes.ts";
import type { RenderContext } from "./render-context.ts";
import { pick, type Selection } from "./selection.ts";
import { renderEntities } from "./text-entities.ts";
import { type ShownText, shownText } from "./shown-text.ts";

export const EVENT_TYPES = ["MessageCreate", "ParticipantsJoin", "ParticipantsLeave"] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export function eventTypeOf({ change }: MessageRow): EventType {
  if (change === undefined) return "MessageCreate";
  return change.kind === "join" ? "ParticipantsJoin" : "ParticipantsLeave";
}

/** Message field that an expansion adds to the response: it contains the ids by which the client finds the objects. */
const EXPANDED_FIELDS: Readonly<Record<string, string>> = {
  "attachments.media_keys": "attachments",
  participant_ids: "participant_ids",
  referenced_posts: "referenced_posts",
  "referenced_posts.id": "referenced_posts",
  sender_id: "sender_id",
};

/** Renders a message event with its default and selected fields; adds referenced objects to `includes`. */
export function renderEvent(
  { world }: RenderContext,
  event: MessageRow,
  { fields, expansions }: Selection,
  includes: Includes,
): Record<string, unknown> {
  expand(event, expansions, includes);
  const { change } = event;
  const expanded = [...expansions].flatMap((name) => EXPANDED_FIELDS[name] ?? []);
  const selected = new Set([...fields.dm_event, ...expanded]);
  // An event in which people join or leave always shows their ids, even if the request does not select them.
  if (change !== undefined) selected.add("participant_ids");
  return pick("dm_event", selected, {
    id: () => event.id,
    event_type: () => eventTypeOf(event),
    text: () => (change === undefined ? shownMessage(event).text : undefined),
    participant_ids: () => change?.participantIds,
    sender_id: () => event.senderId,
    dm_conversation_id: () => event.conversationId,
    created_at: () => new Date(event.at).toISOString(),
    entities: () => renderEntities(world, shownMessage(event), mediaKeysOf(world, event)),
    referenced_posts: () => event.postIds?.map((id) => ({ id })),
    attachments: () => {
      const keys = mediaKeysOf(world, event);
      return keys.length === 0 ? undefined : { media_keys: keys };
    },
  });
}

/** Returns the displayed text of a message, with a link to its picture at the end. */
export function shownMessage({ id, text, mediaIds = [] }: MessageRow): ShownText {
  if (mediaIds.length === 0) return shownText(text);
  const page = `https://platform.example/messages/media/${id}`;
  return shownText(text, [{ kind: "media", page }]);
}

function mediaKeysOf(world: SandboxWorld, { mediaIds = [] }: MessageRow): string[] {
  return mediaIds.flatMap((id) => media.in(world).get(id)?.mediaKey ?? []);
}

function expand(event: MessageRow, expansions: ReadonlySet<string>, includes: Includes): void {
  if (expansions.has("sender_id")) includes.user(event.senderId, "sender_id");
  if (expansions.has("participant_ids")) {
    for (const id of event.change?.participantIds ?? []) includes.user(id, "participant_ids");
  }
  if (expansions.has("attachments.media_keys")) {
    for (const id of event.mediaIds ?? []) includes.media(id, event.id);
  }
  const posts = ["referenced_posts", "referenced_posts.id"].find((name) => expansions.has(name));
  if (posts !== undefined) for (const id of event.postIds ?? []) includes.post(id, posts);
}
