import type { Act } from "../../../../sandbox/control/objects.ts";
import type { SandboxActivity } from "../../../../sandbox/control/objects.ts";

/** Acts of a person towards the bot. */
export const DEEDS = [
  { name: "dm", label: "Send a message", hasText: true },
  { name: "mention", label: "Post and mention it", hasText: true },
  { name: "post", label: "Post", hasText: true },
  { name: "reply", label: "Reply to its post", hasText: true },
  { name: "quote", label: "Quote its post", hasText: true },
  { name: "like", label: "Like its post", hasText: false },
  { name: "repost", label: "Repost its post", hasText: false },
  { name: "delete", label: "Delete the last post", hasText: false },
  { name: "follow", label: "Follow it", hasText: false },
  { name: "unfollow", label: "Unfollow it", hasText: false },
  { name: "typing", label: "Begin to type", hasText: false },
  { name: "read", label: "Read its messages", hasText: false },
  { name: "block", label: "Block it", hasText: false },
  { name: "unblock", label: "Unblock it", hasText: false },
  { name: "mute", label: "Mute it", hasText: false },
  { name: "unmute", label: "Unmute it", hasText: false },
] as const satisfies readonly DeedShape[];

interface DeedShape {
  readonly name: string;
  readonly label: string;
  readonly hasText: boolean;
}

export type Deed = (typeof DEEDS)[number];

interface About {
  readonly text: string;
  readonly bot: { readonly id: string; readonly username: string };
  /** A post of the bot. */
  readonly target: SandboxActivity | undefined;
  readonly lastMessage: SandboxActivity | undefined;
  /** Latest post of the speaker. */
  readonly lastPost: SandboxActivity | undefined;
}

/** Converts an act for the control interface, which refuses acts on missing posts or messages. */
export function actFor(
  name: Deed["name"],
  { text, bot, target, lastMessage, lastPost }: About,
): Act {
  const post = target?.ref ?? "";
  switch (name) {
    case "dm":
      return { type: "dm", to: bot.id, text };
    case "mention":
      return { type: "post", text: `@${bot.username} ${text}` };
    case "post":
      return { type: "post", text };
    case "reply":
      return { type: "post", text, in_reply_to: post };
    case "quote":
      return { type: "post", text, quote_of: post };
    case "like":
      return { type: "like", post_id: post };
    case "repost":
      return { type: "repost", post_id: post };
    case "delete":
      return { type: "delete", post_id: lastPost?.ref ?? "" };
    case "typing":
      return { type: "typing", to: bot.id };
    case "read":
      return { type: "read", to: bot.id, last_event_id: lastMessage?.ref ?? "" };
    case "follow":
    case "unfollow":
    case "block":
    case "unblock":
    case "mute":
    case "unmute":
      return { type: name, user_id: bot.id };
  }
}
