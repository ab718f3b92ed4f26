import { expect } from "vitest";
import type { Client, ENDPOINTS } from "../../../src/client/client.ts";
import type { WebhookConfig } from "../../../src/client/resources/webhooks.ts";
import type { Dialect } from "../../../src/protocol/dialects.ts";
import { world, type World } from "../support/world.ts";
import { recorder, type Recorder } from "./recorder.ts";

/** A new user. */
export interface Somebody {
  readonly id: string;
  readonly username: string;
  readonly client: Client<"oauth1">;
}

/** Sandbox and clients, in one dialect, with which calls are tested. Each call creates the objects that it needs. */
export interface Stage extends World {
  readonly dialect: Dialect;
  readonly recorder: Recorder;
  readonly adsAccountId: string;
  /** Returns a word that no post contains yet. */
  readonly word: () => string;
  readonly somebody: () => Promise<Somebody>;
  /** Creates a post of the bot; returns its id. */
  readonly post: () => Promise<string>;
  /** Registers a webhook, passes it to `use`, and deletes it when `use` has ended. */
  readonly withWebhook: (use: (webhook: WebhookConfig) => Promise<void>) => Promise<void>;
}

/** Calls one method and checks its result. */
export type Call = (stage: Stage) => Promise<void>;

/** Calls of every method of a resource. A missing method does not compile. */
export type CallsOf<Resource extends keyof typeof ENDPOINTS> = {
  readonly [Method in keyof (typeof ENDPOINTS)[Resource]]: Call;
};

export const CALLBACK = "https://bot.example/callback";

/** Starts the sandbox and creates the clients with which calls are tested. */
export async function setStage(dialect: Dialect): Promise<Stage> {
  const recording = recorder();
  const here = await world(dialect, { callback_urls: [CALLBACK] }, recording.dispatcher);
  const { control } = here.sandbox;
  await control.call("PATCH", "/settings", { limits: { enabled: false } });
  const { account_id: adsAccountId } = await control.post<{ account_id: string }>("/ads/accounts", {
    user_id: here.botId,
    name: "Bot ads",
  });
  let count = 0;
  const word = (): string => {
    count += 1;
    return `word${count}`;
  };
  return {
    ...here,
    dialect,
    recorder: recording,
    adsAccountId,
    word,
    somebody: async () => {
      const username = word();
      const id = await control.user(username);
      return { id, username, client: here.bot.as(await here.credentialsOf(id)) };
    },
    post: async () => (await here.bot.posts.create({ text: word() })).id,
    withWebhook: async (use) => {
      const webhook = await here.appOnly.webhooks.create(`https://bot.example/${word()}`);
      await use(webhook);
      expect(await here.appOnly.webhooks.delete(webhook.id)).toEqual({ deleted: true });
    },
    close: async () => {
      await here.close();
      await recording.close();
    },
  };
}
