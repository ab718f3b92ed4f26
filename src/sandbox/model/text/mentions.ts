import { entitiesOf } from "../../../protocol/public-text/entities.ts";
import type { SandboxWorld } from "../../kernel/world/sandbox-world.ts";
import { users } from "../accounts.ts";
import type { PostRow } from "../posts.ts";

/** Returns the ids of the users that a post mentions: inherited from its thread, or typed by its author. */
export function mentionedIn(
  world: SandboxWorld,
  { text, inheritedIds = [] }: Pick<PostRow, "text" | "inheritedIds">,
): string[] {
  return [...new Set([...inheritedIds, ...typedMentionsIn(world, text)])];
}

/** Returns the ids of the users whose handles a typed text contains. */
export function typedMentionsIn(world: SandboxWorld, text: string): string[] {
  return entitiesOf(text)
    .filter(({ kind }) => kind === "mention")
    .flatMap(({ word }) => users.in(world).first("username", word.toLowerCase())?.id ?? []);
}
