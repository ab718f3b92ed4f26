import type { World } from "../kernel/world.ts";
import { tied, type User } from "./entities.ts";

/** Whether a user takes messages of another: open to them, and neither blocks the other. */
export function receivesFrom(world: World, senderId: string, recipient: User): boolean {
  return (
    recipient.profile["receives_your_dm"] !== false &&
    recipient.profile["suspended"] !== true &&
    !tied(world, "block", recipient.id, senderId) &&
    !tied(world, "dm_block", recipient.id, senderId) &&
    !tied(world, "block", senderId, recipient.id)
  );
}
