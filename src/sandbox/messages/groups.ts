import { findUser, type UserRow, users } from "../model/accounts.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type GroupRow, groups, messages } from "../model/messages.ts";
import { refuseUnreachable } from "./rules.ts";

/** Minimum number of people in a new group besides its creator. */
const MIN_OTHERS = 2;

/** Opens a group with its creator and other users. @throws {ApiError} 400 or 403. */
export function createGroup(
  sandbox: Sandbox,
  creator: UserRow,
  otherIds: readonly string[],
): GroupRow {
  const { world, time } = sandbox;
  const others = [...new Set(otherIds)].filter((id) => id !== creator.id);
  if (others.length < MIN_OTHERS) {
    const message = `The \`participant_ids\` must name at least ${MIN_OTHERS} people besides yourself.`;
    throw ApiError.parameter("participant_ids", otherIds.join(","), message);
  }
  for (const id of others) {
    const other = users.in(world).get(id);
    if (other === undefined) {
      const message = `The \`participant_ids\` value [${id}] is not a user.`;
      throw ApiError.parameter("participant_ids", id, message);
    }
    refuseUnreachable(sandbox, creator, other);
  }
  const participantIds = [creator.id, ...others];
  const group = groups.in(world).put({ id: world.ids.next(), participantIds, at: time.now() });
  recordChange(sandbox, group, "join", creator.id, participantIds);
  return group;
}

/**
 * Adds users to a group, or removes them, as people do in the platform's own app.
 *
 * @throws {ApiError} 404 of the control interface for an unknown user.
 */
export function changeParticipants(
  sandbox: Sandbox,
  group: GroupRow,
  { join = [], leave = [] }: { join?: string[] | undefined; leave?: string[] | undefined },
): GroupRow {
  let current = group;
  const put = (participantIds: string[]): GroupRow =>
    groups.in(sandbox.world).put({ ...current, participantIds });
  for (const id of join) findUser(sandbox, id);
  const joining = [...new Set(join)].filter((id) => !current.participantIds.includes(id));
  if (joining.length > 0) {
    current = put([...current.participantIds, ...joining]);
    recordChange(sandbox, current, "join", current.participantIds[0] ?? "", joining);
  }
  const leaving = [...new Set(leave)].filter((id) => current.participantIds.includes(id));
  if (leaving.length > 0) {
    recordChange(sandbox, current, "leave", leaving[0] ?? "", leaving);
    current = put(current.participantIds.filter((id) => !leaving.includes(id)));
  }
  return current;
}

function recordChange(
  { world, time }: Sandbox,
  group: GroupRow,
  kind: "join" | "leave",
  senderId: string,
  participantIds: string[],
): void {
  messages.in(world).put({
    id: world.ids.next(),
    conversationId: group.id,
    change: { kind, participantIds },
    senderId,
    readers: group.participantIds,
    text: "",
    at: time.now(),
  });
}
