import { createClient } from "../../src/client/create-client.ts";
import type { Client } from "../../src/client/client.ts";
import type { SoakRig } from "./rig.ts";

/** A message of a conversation. */
export interface WrittenMessage {
  readonly id: string;
  /** User id of its sender. */
  readonly by: string;
  readonly text: string;
}

/** Messages and posts of accounts, read from the platform. */
export interface Written {
  /** The ten latest messages of the conversation between an account and a person. */
  latest(account: string, person: string): Promise<readonly string[]>;
  /** All messages between an account and a person. */
  messages(account: string, person: string): Promise<readonly WrittenMessage[]>;
  /** Texts of all posts of an account. */
  posts(account: string): Promise<readonly string[]>;
}

const LATEST = 10;

/** Reads what accounts wrote through a separate app: the bot's app may lose its authorization. */
export async function writtenOn({ url, control, accounts }: SoakRig): Promise<Written> {
  const app = await control.app({ name: "onlooker" });
  const clients = new Map<string, Client<"oauth1">>();
  for (const { id } of accounts) {
    const tokens = await control.tokens(id, app.app_id);
    const credentials = {
      type: "oauth1",
      consumerKey: app.consumer_key,
      consumerSecret: app.consumer_secret,
      accessToken: tokens.access_token,
      accessTokenSecret: tokens.access_token_secret,
    } as const;
    clients.set(id, createClient({ baseUrl: url, credentials }));
  }
  const clientOf = (account: string): Client<"oauth1"> => {
    const client = clients.get(account);
    if (client === undefined) throw new Error(`${account} is no account of the bot`);
    return client;
  };
  const read = async (account: string, person: string, most: number) => {
    const messages: WrittenMessage[] = [];
    const query = {
      dmEventFields: ["sender_id", "text"],
      maxResults: Math.min(100, most),
    } as const;
    for await (const event of clientOf(account).dms.eventsWith(person, query)) {
      messages.push({ id: event.id, by: event.sender_id ?? "", text: event.text ?? "" });
      if (messages.length >= most) break;
    }
    return messages;
  };
  return {
    latest: async (account, person) =>
      (await read(account, person, LATEST)).map(({ text }) => text),
    messages: (account, person) => read(account, person, Infinity),
    async posts(account) {
      const texts: string[] = [];
      for await (const { text } of clientOf(account).timelines.posts(account, {
        maxResults: 100,
      })) {
        texts.push(text);
      }
      return texts;
    },
  };
}
