import { relationships, type UserRow } from "../../model/accounts.ts";
import type { SandboxWorld } from "../../kernel/world/sandbox-world.ts";

/** Whose posts are in a home timeline: the user's own, and those of whom they follow and have not muted. */
export function homeAuthors(world: SandboxWorld, { id }: UserRow): string[] {
  const table = relationships.in(world);
  const muted = new Set(table.where("from", `mute:${id}`).map(({ to }) => to));
  const followed = table.where("from", `follow:${id}`).map(({ to }) => to);
  return [id, ...followed.filter((one) => !muted.has(one))];
}
