import { createClient } from "../../client/create-client.ts";
import type { LocalSandbox } from "../target/sandbox-control.ts";
import type { SandboxEvent } from "../target/sandbox-events.ts";

/** What the bot said. */
export interface BotAnswer {
  readonly kind: "message" | "post";
  readonly id: string;
  readonly text: string;
}

export type How = "dm" | "post" | "follow";

/** A person of the sandbox who speaks to the bot and hears what it answers. */
export interface Speaker {
  readonly username: string;
  /** Says something. Gives the id of what was made. */
  say(how: How, text: string): Promise<string>;
  /** The words of what happened, when it is the bot's answer to this person. */
  answerIn(event: SandboxEvent): Promise<BotAnswer | undefined>;
  close(): Promise<void>;
}

/** The person of that handle, made when there is nobody of that name. */
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
  const said = new Set<string>();

  return {
    username,
    async say(how, text) {
      const made = await sandbox.act(
        id,
        how === "dm"
          ? { type: "dm", to: bot.id, text }
          : how === "post"
            ? { type: "post", text }
            : { type: "follow", user_id: bot.id },
      );
      said.add(made.id);
      return made.id;
    },
    async answerIn({ type, data }) {
      const { kind, by, to, ref } = data;
      if (type !== "activity" || by !== bot.id || typeof ref !== "string") return undefined;
      if (kind === "message" && to === id) {
        const { data: messages } = await client.dms.eventsWith(bot.id, { maxResults: 50 });
        const message = messages.find((one) => one.id === ref);
        return { kind: "message", id: ref, text: message?.text ?? "" };
      }
      if (kind !== "post") return undefined;
      const { data: post } = await client.posts.get(ref, { postFields: ["referenced_posts"] });
      const isAnswer = post.referenced_posts?.some((one) => said.has(one.id)) === true;
      return isAnswer ? { kind: "post", id: ref, text: post.text } : undefined;
    },
    close: () => client.close(),
  };
}
