import * as z from "zod";
import { findUser } from "../model/accounts.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { SPACE_STATES, type SpaceRow, spaces, topic } from "../model/spaces.ts";

const people = z.array(z.string());
const time = z.iso.datetime();

const details = {
  title: z.string(),
  state: z.enum(SPACE_STATES),
  lang: z.string(),
  host_ids: people,
  speaker_ids: people,
  invited_user_ids: people,
  topics: z.array(topic),
  is_ticketed: z.boolean(),
  participant_count: z.int().min(0),
  subscriber_count: z.int().min(0),
  scheduled_start: time,
};

/** Fields of a new space; only its creator is required. Without an id, a random id is generated. */
export const spaceInput = z
  .strictObject({
    creator_id: z.string(),
    id: z
      .string()
      .regex(/^[a-zA-Z0-9]{1,13}$/, "write 1 to 13 letters and digits")
      .optional(),
  })
  .extend(z.strictObject(details).partial().shape);

/** Fields of a space that can be changed. */
export const spacePatch = z.strictObject(details).partial();

/**
 * Opens a space, live by default, with its creator as its host.
 *
 * @throws {ApiError} 400 or 404 of the control interface.
 */
export function createSpace(
  sandbox: Sandbox,
  { creator_id: creatorId, id, ...input }: z.infer<typeof spaceInput>,
): SpaceRow {
  const { world } = sandbox;
  findUser(sandbox, creatorId);
  if (id !== undefined && spaces.in(world).get(id) !== undefined) {
    throw ApiError.control(400, "id_taken", `There is already a space ${id}.`);
  }
  const at = sandbox.time.now();
  const newSpace: SpaceRow = {
    id: id ?? `1${world.random.bytes(6).toString("hex")}`,
    creatorId,
    state: "scheduled",
    title: "",
    lang: "en",
    hostIds: [creatorId],
    speakerIds: [],
    invitedUserIds: [],
    topics: [],
    isTicketed: false,
    participantCount: 0,
    subscriberCount: 0,
    at,
    updatedAt: at,
  };
  return changeSpace(sandbox, newSpace, { state: "live", ...input });
}

/** Changes a space. A change of its state sets the time of its beginning or end. */
export function changeSpace(
  sandbox: Sandbox,
  space: SpaceRow,
  patch: z.infer<typeof spacePatch>,
): SpaceRow {
  const now = sandbox.time.now();
  const state = patch.state ?? space.state;
  const begun = space.startedAt ?? (state === "scheduled" ? undefined : now);
  const ended = state === "ended" ? (space.endedAt ?? now) : undefined;
  const scheduled =
    patch.scheduled_start === undefined ? space.scheduledStart : Date.parse(patch.scheduled_start);
  const { startedAt: _begun, endedAt: _ended, scheduledStart: _scheduled, ...rest } = space;
  return spaces.in(sandbox.world).put({
    ...rest,
    state,
    title: patch.title ?? space.title,
    lang: patch.lang ?? space.lang,
    hostIds: patch.host_ids ?? space.hostIds,
    speakerIds: patch.speaker_ids ?? space.speakerIds,
    invitedUserIds: patch.invited_user_ids ?? space.invitedUserIds,
    topics: patch.topics ?? space.topics,
    isTicketed: patch.is_ticketed ?? space.isTicketed,
    participantCount: patch.participant_count ?? space.participantCount,
    subscriberCount: patch.subscriber_count ?? space.subscriberCount,
    updatedAt: now,
    ...(begun === undefined ? {} : { startedAt: begun }),
    ...(ended === undefined ? {} : { endedAt: ended }),
    ...(scheduled === undefined ? {} : { scheduledStart: scheduled }),
  });
}

/** Finds a space. @throws {ApiError} 404 of the control interface. */
export function findSpace({ world }: Sandbox, id: string): SpaceRow {
  const space = spaces.in(world).get(id);
  if (space !== undefined) return space;
  throw ApiError.control(404, "unknown_space", `There is no space ${id}.`);
}
