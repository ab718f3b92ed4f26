import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import { isRelated, type UserRow } from "./entities.ts";

/** Whether a user accepts messages of another: open to them, and neither blocks the other. */
export function acceptsMessagesFrom(
  world: SandboxWorld,
  senderId: string,
  recipient: UserRow,
): boolean {
  return (
    recipient.profile["receives_your_dm"] !== false &&
    recipient.profile["suspended"] !== true &&
    !isRelated(world, "block", recipient.id, senderId) &&
    !isRelated(world, "dm_block", recipient.id, senderId) &&
    !isRelated(world, "block", senderId, recipient.id)
  );
}
