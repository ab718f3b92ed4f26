import { type User, users } from "../accounts/entities.ts";
import { Refusal } from "../kernel/refusal.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type Group, groups, messages } from "./entities.ts";
import { refuseUnreachable } from "./rules.ts";

/** Opens a group of its creator and others. @throws {Refusal} 400 or 403. */
export function createGroup(sandbox: Sandbox, creator: User, otherIds: readonly string[]): Group {
  const { world, time } = sandbox;
  const others = [...new Set(otherIds)].filter((id) => id !== creator.id);
  for (const id of others) {
    const other = users.in(world).get(id);
    if (other === undefined) {
      const message = `The \`participant_ids\` value [${id}] is not a user.`;
      throw Refusal.parameter("participant_ids", id, message);
    }
    refuseUnreachable(sandbox, creator, other);
  }
  const participantIds = [creator.id, ...others];
  const group = groups.in(world).put({ id: world.ids.next(), participantIds, at: time.now() });
  tellChange(sandbox, group, "join", creator.id, participantIds);
  return group;
}

/** Lets users into a group, or out of it, as they do at their own clients. */
export function changeParticipants(
  sandbox: Sandbox,
  group: Group,
  { join = [], leave = [] }: { join?: string[] | undefined; leave?: string[] | undefined },
): Group {
  let now = group;
  const put = (participantIds: string[]): Group =>
    groups.in(sandbox.world).put({ ...now, participantIds });
  const coming = join.filter((id) => !now.participantIds.includes(id));
  if (coming.length > 0) {
    now = put([...now.participantIds, ...coming]);
    tellChange(sandbox, now, "join", now.participantIds[0] ?? "", coming);
  }
  const going = leave.filter((id) => now.participantIds.includes(id));
  if (going.length > 0) {
    tellChange(sandbox, now, "leave", going[0] ?? "", going);
    now = put(now.participantIds.filter((id) => !going.includes(id)));
  }
  return now;
}

function tellChange(
  { world, time }: Sandbox,
  group: Group,
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
