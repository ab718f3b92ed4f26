import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import { messages } from "../model/messages.ts";
import { posts } from "../model/posts.ts";
import type { ActivityRow } from "../model/activity.ts";

/** The words of a message or a post, and the posts that it refers to. */
export interface ActivityWords {
  readonly text?: string;
  readonly refers_to?: readonly string[];
}

/** What the feed tells of a message or a post, so that who follows it need not ask for each. */
export function saidIn(
  world: SandboxWorld,
  { kind, ref = "" }: Pick<ActivityRow, "kind" | "ref">,
): ActivityWords {
  if (kind === "message") {
    const { text } = messages.in(world).get(ref) ?? {};
    return text === undefined ? {} : { text };
  }
  const post = kind === "post" ? posts.in(world).get(ref) : undefined;
  if (post === undefined) return {};
  const { text, replyTo, quoteOf, repostOf } = post;
  return { text, refers_to: [replyTo, quoteOf, repostOf].flatMap((id) => id ?? []) };
}
