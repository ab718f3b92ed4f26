import type { Act } from "../../../../sandbox/control/objects.ts";
import type { SandboxActivity } from "../../../../sandbox/control/objects.ts";

/** Actions on the bot that the page Chat offers for a person. */
export const DEEDS = [
  { name: "dm", label: "Send a message", hasText: true },
  { name: "mention", label: "Post and mention the bot", hasText: true },
  { name: "post", label: "Post", hasText: true },
  { name: "reply", label: "Reply to the bot's post", hasText: true },
  { name: "quote", label: "Quote the bot's post", hasText: true },
  { name: "like", label: "Like the bot's post", hasText: false },
  { name: "repost", label: "Repost the bot's post", hasText: false },
  { name: "delete", label: "Delete your last post", hasText: false },
  { name: "follow", label: "Follow the bot", hasText: false },
  { name: "unfollow", label: "Unfollow the bot", hasText: false },
  { name: "typing", label: "Start typing", hasText: false },
  { name: "read", label: "Read the bot's messages", hasText: false },
  { name: "block", label: "Block the bot", hasText: false },
  { name: "unblock", label: "Unblock the bot", hasText: false },
  { name: "mute", label: "Mute the bot", hasText: false },
  { name: "unmute", label: "Unmute the bot", hasText: false },
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
  /** Post of the bot that the action replies to, likes or reposts. */
  readonly target: SandboxActivity | undefined;
  readonly lastMessage: SandboxActivity | undefined;
  /** Latest post of the acting person. */
  readonly lastPost: SandboxActivity | undefined;
}

/**
 * Converts an action to a request body for the sandbox's control interface. If the post that the action refers to is
 * missing, the control interface refuses the request.
 */
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
