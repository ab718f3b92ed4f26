import { textAsWritten } from "../output/text-as-written.ts";
import { createClient } from "../../client/create-client.ts";
import type { LocalSandbox } from "../target/sandbox-control.ts";
import type { SandboxEvent } from "../../sandbox/control/objects.ts";

/** An answer of the bot. */
export interface BotAnswer {
  readonly kind: "message" | "post";
  readonly id: string;
  readonly text: string;
}

export type InteractionKind = "dm" | "post" | "follow";

/** Something that a person did, as the bot's journal has it. */
export interface SaidToBot {
  readonly kind: InteractionKind;
  /** Whom it was said to: the bot's account. */
  readonly account: string;
  readonly person: string;
  /** What its key in the journal begins with. */
  readonly keyBegins: string;
}

/** A sandbox user who writes to the bot and recognises its answers. */
export interface Speaker {
  readonly username: string;
  /** Sends a message, publishes a post or follows the bot. */
  send(kind: InteractionKind, text: string): Promise<SaidToBot>;
  /** The bot's answer to this user, when `event` is one. */
  answerIn(event: SandboxEvent): Promise<BotAnswer | undefined>;
  close(): Promise<void>;
}

const KEYS: Readonly<Record<InteractionKind, (made: string, person: string) => string>> = {
  dm: (made) => `message:${made}`,
  post: (made) => `post:${made}`,
  // one following is told from the next by its time, which the bot hears of
  follow: (_, person) => `follow:${person}>`,
};

/** The person of that handle, created if there is none of that name. */
export async function speakerFor(sandbox: LocalSandbox, handle: string): Promise<Speaker> {
  const { baseUrl, app, bot } = sandbox.file;
  const { id, username } = await sandbox.person(handle);
  const tokens = await sandbox.tokens(id, app.id);
  const client = createClient({
    baseUrl,
    credentials: {
      type: "oauth1",
      consumerKey: app.consumerKey,
      consumerSecret: app.consumerSecret,
      accessToken: tokens.access_token,
      accessTokenSecret: tokens.access_token_secret,
    },
  });
  const sent = new Set<string>();

  return {
    username,
    async send(kind, text) {
      const made = await sandbox.act(
        id,
        kind === "dm"
          ? { type: "dm", to: bot.id, text }
          : kind === "post"
            ? { type: "post", text }
            : { type: "follow", user_id: bot.id },
      );
      sent.add(made.id);
      return { kind, account: bot.id, person: id, keyBegins: KEYS[kind](made.id, id) };
    },
    async answerIn({ type, data }) {
      const { kind, by, to, ref } = data;
      if (type !== "activity" || by !== bot.id || typeof ref !== "string") return undefined;
      if (kind === "message" && to === id) {
        const { data: messages } = await client.dms.eventsWith(bot.id, {
          maxResults: 50,
          dmEventFields: ["text", "entities"],
        });
        const message = messages.find((one) => one.id === ref);
        return { kind: "message", id: ref, text: textAsWritten(message ?? {}) };
      }
      if (kind !== "post") return undefined;
      const { data: post } = await client.posts.get(ref, {
        postFields: ["referenced_posts", "entities"],
      });
      const isAnswer = post.referenced_posts?.some((one) => sent.has(one.id)) === true;
      // what goes on in a thread answers the last post of it
      if (isAnswer) sent.add(ref);
      return isAnswer ? { kind: "post", id: ref, text: textAsWritten(post) } : undefined;
    },
    close: () => client.close(),
  };
}
