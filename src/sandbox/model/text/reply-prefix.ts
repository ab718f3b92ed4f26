import { entitiesOf } from "../../../protocol/public-text/entities.ts";
import type { SandboxWorld } from "../../kernel/world/sandbox-world.ts";
import { users } from "../accounts.ts";
import { type PostRow, MAX_INHERITED_HANDLES } from "../posts.ts";
import { typedMentionsIn } from "./mentions.ts";

/** Inputs for the chain of handles that precedes the text of a new reply. */
export interface ReplyChainInput {
  readonly authorId: string;
  readonly parent: PostRow;
  /** Ids of users whom the author removes from the chain. The author of `parent` can't be removed. */
  readonly excludedIds?: readonly string[] | undefined;
}

/**
 * Returns the ids of the users whose handles a reply inherits from its thread: the author of the answered post, the
 * users whose handles the answered post inherited, then the users that the answered post mentions.
 */
export function replyChain(
  world: SandboxWorld,
  { authorId, parent, excludedIds = [] }: ReplyChainInput,
): string[] {
  const others = [...(parent.inheritedIds ?? []), ...typedMentionsIn(world, parent.text)];
  const excluded = new Set(excludedIds);
  const chain = new Set([parent.authorId, ...others.filter((id) => !excluded.has(id))]);
  chain.delete(authorId);
  return [...chain].slice(0, MAX_INHERITED_HANDLES);
}

/** Returns the handles that a post inherits, as the text that precedes the author's words: `@ana @hello_bot `. */
export function inheritedPrefix(
  world: SandboxWorld,
  { inheritedIds = [] }: Pick<PostRow, "inheritedIds">,
): string {
  let prefix = "";
  for (const id of inheritedIds) {
    const user = users.in(world).get(id);
    if (user !== undefined) prefix += `@${user.username} `;
  }
  return prefix;
}

/** Returns the length, in code points, of the handles of `chain` at the beginning of a text, with their spaces. */
export function typedPrefixLength(
  world: SandboxWorld,
  text: string,
  chain: readonly string[],
): number {
  const letters = Array.from(text);
  let length = 0;
  for (const { kind, word, start, end } of entitiesOf(text)) {
    const user = kind === "mention" ? users.in(world).first("username", word.toLowerCase()) : null;
    if (start !== length || !user || !chain.includes(user.id)) return length;
    length = end;
    while (/^\s$/.test(letters[length] ?? "")) length += 1;
  }
  return length;
}
