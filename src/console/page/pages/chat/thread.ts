import type { SandboxActivity } from "../../../../sandbox/control/objects.ts";

/** A person in the sandbox. */
export interface CastMember {
  readonly id: string;
  readonly username: string;
  readonly name: string;
}

/**
 * Returns the actions between a person and the bot, oldest first. Includes the bot's posts in threads with the person.
 */
export function threadOf(
  all: readonly SandboxActivity[],
  person: string,
  bot: string,
): readonly SandboxActivity[] {
  const posts = new Set<string>();
  const mine = (one: SandboxActivity): boolean => {
    const { by, to, ref = "", refers_to: others = [] } = one;
    if (by === person) return to === undefined || to === bot || to === person;
    if (by !== bot) return false;
    return to === person || posts.has(ref) || others.some((post) => posts.has(post));
  };
  return all.filter((one) => {
    if (!mine(one)) return false;
    if (one.kind === "post" && one.ref !== undefined) posts.add(one.ref);
    return true;
  });
}

const WORDS: Readonly<Record<string, string>> = {
  like: "liked a post of",
  follow: "followed",
  unfollow: "unfollowed",
  block: "blocked",
  unblock: "unblocked",
  mute: "muted",
  unmute: "unmuted",
  typing: "is typing to",
  read: "read the messages of",
  delete: "deleted a post, which concerns",
  revoke: "revoked the authorization of",
  profile: "changed their profile, which concerns",
};

/** Describes an action without its target: `followed`. */
export function deedInWords({ kind }: SandboxActivity): string {
  return WORDS[kind] ?? kind;
}

/** Returns the journal key of an activity; undefined if the journal entry can only be found by its time. */
export function keyOf({ kind, ref }: SandboxActivity): string | undefined {
  return (kind === "message" || kind === "post") && ref !== undefined
    ? `${kind}:${ref}`
    : undefined;
}
