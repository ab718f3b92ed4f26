import type { Act, ControlClient } from "../sandbox/index.ts";
import type { DeedToPerson } from "./deeds.ts";

/**
 * A person who interacts with the bot. Each method resolves when the bot has handled the action, with the texts that
 * the bot sent to this person since the last call of the lab or of a person. No later call returns what the bot did for
 * others in this time.
 */
export interface LabPerson {
  readonly id: string;
  /** Handle without `@`, as it was when `lab.person` returned the person. */
  readonly username: string;
  /** Sends the bot a direct message. */
  says(text: string): Promise<readonly string[]>;
  /** Publishes a post. Mention the bot if it should receive the post: `@hello_bot are you open?`. */
  posts(text: string, options?: { readonly inReplyTo?: string }): Promise<readonly string[]>;
  /** Follows the bot's account. */
  follows(): Promise<readonly string[]>;
  /** Unfollows the bot's account. */
  unfollows(): Promise<readonly string[]>;
  /**
   * Likes a post.
   *
   * @param post Id of the post.
   */
  likes(post: string): Promise<readonly string[]>;
  /** Blocks the bot's account. */
  blocks(): Promise<readonly string[]>;
}

interface PersonNeeds {
  readonly control: Pick<ControlClient, "act">;
  /** User id of the bot's account. */
  readonly bot: string;
  /** Waits until the bot is idle, and returns its visible actions since the last call. */
  readonly deeds: () => Promise<readonly DeedToPerson[]>;
}

/** Creates a person who acts in the sandbox. */
export function labPerson(id: string, username: string, needs: PersonNeeds): LabPerson {
  const { control, bot, deeds } = needs;
  const does = async (what: Act): Promise<readonly string[]> => {
    await control.act(id, what);
    const done = await deeds();
    return done.flatMap(({ person, deed: { text } }) =>
      person === id && text !== undefined ? [text] : [],
    );
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
