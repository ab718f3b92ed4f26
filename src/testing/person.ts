import type { Act, ControlClient } from "../sandbox/index.ts";
import type { BotDeed } from "./deeds.ts";

/** Somebody who deals with the bot. Each call resolves once the bot is done with it. */
export interface LabPerson {
  readonly id: string;
  /** Without `@`. */
  readonly username: string;
  /** Writes the bot a direct message. @returns what the bot answers them, in order. */
  says(text: string): Promise<readonly string[]>;
  /** Posts in public; the text names the bot where it is to hear of it: `@hello_bot are you open?`. */
  posts(text: string, options?: { readonly inReplyTo?: string }): Promise<readonly string[]>;
  /** Follows the bot's account. */
  follows(): Promise<readonly string[]>;
  /** Follows it no longer. */
  unfollows(): Promise<readonly string[]>;
  /**
   * Likes a post.
   *
   * @param post Its id.
   */
  likes(post: string): Promise<readonly string[]>;
  /** Blocks the bot's account. */
  blocks(): Promise<readonly string[]>;
}

interface PersonNeeds {
  readonly control: Pick<ControlClient, "act">;
  /** User id of the bot's account. */
  readonly bot: string;
  /** What the bot has done since it was asked last, once it is done. */
  readonly deeds: () => Promise<readonly BotDeed[]>;
}

/** A person of the sandbox. */
export function labPerson(id: string, username: string, needs: PersonNeeds): LabPerson {
  const { control, bot, deeds } = needs;
  const does = async (what: Act): Promise<readonly string[]> => {
    await control.act(id, what);
    const done = await deeds();
    return done.flatMap(({ to, text }) => (to === username && text !== undefined ? [text] : []));
  };
  return {
    id,
    username,
    says: (text) => does({ type: "dm", to: bot, text }),
    posts: (text, { inReplyTo } = {}) =>
      does({ type: "post", text, ...(inReplyTo !== undefined && { in_reply_to: inReplyTo }) }),
    follows: () => does({ type: "follow", user_id: bot }),
    unfollows: () => does({ type: "unfollow", user_id: bot }),
    likes: (post) => does({ type: "like", post_id: post }),
    blocks: () => does({ type: "block", user_id: bot }),
  };
}
