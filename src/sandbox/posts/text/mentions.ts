import { users } from "../../accounts/entities.ts";
import type { SandboxWorld } from "../../kernel/world/sandbox-world.ts";
import type { PostRow } from "../entities.ts";
import { entitiesOf } from "../../../protocol/public-text/entities.ts";

/** Ids of the users that a post mentions. */
export function mentionedIn(world: SandboxWorld, { text }: Pick<PostRow, "text">): string[] {
  return entitiesOf(text)
    .filter(({ kind }) => kind === "mention")
    .flatMap(({ word }) => users.in(world).first("username", word.toLowerCase())?.id ?? []);
}
