import { entitiesOf } from "../../../protocol/public-text/entities.ts";
import type { SandboxWorld } from "../../kernel/world/sandbox-world.ts";
import { users } from "../accounts.ts";
import type { PostRow } from "../posts.ts";

/** Ids of the users that a post mentions: those inherited from its thread, and those that its author typed. */
export function mentionedIn(
  world: SandboxWorld,
  { text, inheritedIds = [] }: Pick<PostRow, "text" | "inheritedIds">,
): string[] {
  return [...new Set([...inheritedIds, ...typedMentionsIn(world, text)])];
}

/** Ids of the users whose handles stand in a typed text. */
export function typedMentionsIn(world: SandboxWorld, text: string): string[] {
  return entitiesOf(text)
    .filter(({ kind }) => kind === "mention")
    .flatMap(({ word }) => users.in(world).first("username", word.toLowerCase())?.id ?? []);
}
