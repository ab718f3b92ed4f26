import type { SandboxActivity } from "../../../../sandbox/control/objects.ts";
import type { SandboxItem } from "../../live/connection.ts";

/** Maximum number of activities that the page Chat shows. */
export const MAX_ACTIVITIES = 1_000;

/** A person in the sandbox. */
export interface CastMember {
  readonly id: string;
  readonly username: string;
  readonly name: string;
}

/**
 * Returns the actions between a person and the bot, oldest first. Includes the bot's posts in threads in which the
 * person posted.
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

/**
 * Adds the activities among new events of the sandbox. A world that was reset or restored has none of the earlier ones.
 */
export function activitiesAfter(
  last: readonly SandboxActivity[],
  events: readonly Pick<SandboxItem, "type" | "data">[],
): readonly SandboxActivity[] {
  const world = events.findLastIndex(({ type }) => type === "world");
  const came = events
    .slice(world + 1)
    .flatMap(({ type, data }) => (type === "activity" ? [data as unknown as SandboxActivity] : []));
  if (world === -1 && came.length === 0) return last;
  return [...(world === -1 ? last : []), ...came].slice(-MAX_ACTIVITIES);
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

/** Describes an activity in a word, such as `followed`, without naming the account that was followed. */
export function deedInWords({ kind }: SandboxActivity): string {
  return WORDS[kind] ?? kind;
}

/** Returns the journal key of a message or post; undefined for other activities, which are found by their time. */
export function keyOf({ kind, ref }: SandboxActivity): string | undefined {
  return (kind === "message" || kind === "post") && ref !== undefined
    ? `${kind}:${ref}`
    : undefined;
}
