import { PLACE_FIELDS } from "../../protocol/fields.ts";
import { lists, listTies } from "../model/lists.ts";
import {
  type MediaRow,
  media,
  type MediaUploadRow,
  uploads,
  processingOf,
} from "../model/media.ts";
import { type MessageRow, messages } from "../model/messages.ts";
import { places } from "../model/places.ts";
import { renderPlace } from "../rendering/places.ts";
import { type PollRow, polls, votes, closesAt } from "../model/polls.ts";
import { type PostRow, posts } from "../model/posts.ts";
import { spaces } from "../model/spaces.ts";
import { renderWholeSpace } from "../rendering/spaces.ts";
import type { Route } from "../server/route.ts";
import { OWN, latest } from "../server/control-input.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { compareIds } from "../kernel/world/ids.ts";
import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import type { SandboxMedium, SandboxMessage, SandboxPoll, WorldObjects } from "./world-objects.ts";

/** Row source of `GET /_sandbox/NAME`: reads all rows of a kind, oldest first, and renders one row as JSON. */
interface Listing<Row, Shown> {
  readonly rows: (world: SandboxWorld) => Iterable<Row>;
  readonly show: (row: Row, sandbox: Sandbox) => Shown;
}

/** Creates `GET /_sandbox/NAME?limit=100`, which returns the latest rows of a kind, oldest first. */
function listRoute<Name extends keyof WorldObjects, Row>(
  name: Name,
  { rows, show }: Listing<Row, WorldObjects[Name]>,
): Route {
  return {
    method: "GET",
    path: `/_sandbox/${name}`,
    ...OWN,
    handle: (call) => {
      const latestRows = latest(call, rows(call.sandbox.world));
      return { body: { [name]: latestRows.map((row) => show(row, call.sandbox)) } };
    },
  };
}

/** Routes that list all objects of the world, including objects that the platform hides. */
export const worldRoutes: readonly Route[] = [
  listRoute("posts", { rows: (world) => posts.in(world).all(), show: showPost }),
  listRoute("dm_events", { rows: (world) => messages.in(world).all(), show: showMessage }),
  listRoute("media", {
    rows: (world) => [...uploads.in(world).all(), ...media.in(world).all()].sort(byId),
    show: showMedium,
  }),
  listRoute("polls", { rows: (world) => polls.in(world).all(), show: showPoll }),
  listRoute("places", {
    rows: (world) => places.in(world).all(),
    show: (place) => ({
      ...renderPlace(place, new Set(PLACE_FIELDS)),
      id: place.id,
      full_name: place.fullName,
      country: place.country,
      country_code: place.countryCode,
      place_type: place.type,
    }),
  }),
  listRoute("lists", {
    rows: (world) => lists.in(world).all(),
    show: ({ id, ownerId, name, description, private: isPrivate, at }, { world }) => ({
      id,
      owner_id: ownerId,
      name,
      description,
      private: isPrivate,
      created_at: iso(at),
      member_ids: tiedTo(world, `member:${id}`),
      follower_ids: tiedTo(world, `follower:${id}`),
    }),
  }),
  listRoute("spaces", {
    rows: (world) => spaces.in(world).all(),
    show: (space) => ({
      ...renderWholeSpace(space),
      id: space.id,
      creator_id: space.creatorId,
      state: space.state,
      created_at: iso(space.at),
    }),
  }),
];

function showPost(post: PostRow): WorldObjects["posts"] {
  const { id, authorId, text, at, deletedAt, replyTo, quoteOf, repostOf } = post;
  return {
    id,
    author_id: authorId,
    text,
    created_at: iso(at),
    deleted: deletedAt !== undefined,
    ...(replyTo !== undefined && { in_reply_to_post_id: replyTo }),
    ...(quoteOf !== undefined && { quoted_post_id: quoteOf }),
    ...(repostOf !== undefined && { reposted_post_id: repostOf }),
    ...(post.mediaIds !== undefined && { media_ids: post.mediaIds }),
    ...(post.pollId !== undefined && { poll_id: post.pollId }),
    ...(post.placeId !== undefined && { place_id: post.placeId }),
    ...(post.appId !== undefined && { app_id: post.appId }),
  };
}

const CHANGES = { join: "ParticipantsJoin", leave: "ParticipantsLeave" } as const;

function showMessage(message: MessageRow): SandboxMessage {
  const { id, conversationId, change, senderId, recipientId, text, at, mediaIds, appId } = message;
  return {
    id,
    dm_conversation_id: conversationId,
    event_type: change === undefined ? "MessageCreate" : CHANGES[change.kind],
    sender_id: senderId,
    ...(recipientId !== undefined && { recipient_id: recipientId }),
    ...(change && { participant_ids: change.participantIds }),
    text,
    created_at: iso(at),
    ...(mediaIds !== undefined && { media_ids: mediaIds }),
    ...(appId !== undefined && { app_id: appId }),
  };
}

function showMedium(medium: MediaRow | MediaUploadRow, { time }: Sandbox): SandboxMedium {
  const { id, mediaKey, ownerId, category, mediaType, size, expiresAt } = medium;
  return {
    id,
    media_key: mediaKey,
    owner_id: ownerId,
    media_category: category,
    media_type: mediaType,
    state: stateOf(medium, time.now()),
    bytes:
      "bytes" in medium
        ? medium.bytes
        : Object.values(medium.segments).reduce((sum, bytes) => sum + bytes, 0),
    ...size,
    ...("altText" in medium && medium.altText !== undefined && { alt_text: medium.altText }),
    expires_at: iso(expiresAt),
  };
}

function stateOf(medium: MediaRow | MediaUploadRow, now: number): SandboxMedium["state"] {
  if (medium.expiresAt <= now) return "expired";
  if (!("bytes" in medium)) return "uploading";
  const { state = "succeeded" } = processingOf(medium, now) ?? {};
  if (state === "failed") return "failed";
  return state === "succeeded" ? "ready" : "processing";
}

function showPoll(poll: PollRow, { world, time }: Sandbox): SandboxPoll {
  const { id, options, minutes } = poll;
  const closes = closesAt(poll);
  return {
    id,
    options: options.map((label, at) => ({
      position: at + 1,
      label,
      votes: votes.in(world).count("option", `${id}:${at + 1}`),
    })),
    duration_minutes: minutes,
    end_datetime: iso(closes),
    voting_status: time.now() < closes ? "open" : "closed",
  };
}

function tiedTo(world: SandboxWorld, value: string): readonly string[] {
  return listTies
    .in(world)
    .where("list", value)
    .map(({ userId }) => userId);
}

function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  return compareIds(one.id, other.id);
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
