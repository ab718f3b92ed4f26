import { createClient } from "../../src/client/create-client.ts";
import type { RunningSandbox } from "../../src/sandbox/index.ts";
import type { Conversations } from "./rig.ts";

interface AppKeys {
  readonly id: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
}

/**
 * Creates a function that reads an account's conversations. It does not read messages again that it has read before.
 */
export function conversationReader(
  { url, control }: RunningSandbox,
  app: AppKeys,
  accounts: readonly string[],
): Conversations["written"] {
  const clients = new Map(
    accounts.map((account) => [account, control.tokens(account, app.id).then(clientOf)]),
  );
  const messagesByLane = new Map<string, { readonly id: string; readonly text: string }[]>();
  function clientOf(tokens: { access_token: string; access_token_secret: string }) {
    return createClient({
      baseUrl: url,
      credentials: {
        type: "oauth1",
        consumerKey: app.consumerKey,
        consumerSecret: app.consumerSecret,
        accessToken: tokens.access_token,
        accessTokenSecret: tokens.access_token_secret,
      },
    });
  }
  return async (account, person) => {
    const lane = `${account}/${person}`;
    const before = messagesByLane.get(lane) ?? [];
    const client = await clients.get(account);
    if (client === undefined) throw new Error(`${account} is no account of the bot`);
    const fresh: { id: string; text: string }[] = [];
    const query = { dmEventFields: ["sender_id", "text"], maxResults: 100 } as const;
    for await (const event of client.dms.eventsWith(person, query)) {
      if (event.id === before.at(-1)?.id) break;
      if (event.sender_id === account) fresh.push({ id: event.id, text: event.text ?? "" });
    }
    const all = [...before, ...fresh.toReversed()];
    messagesByLane.set(lane, all);
    return all.map(({ text }) => text);
  };
}

const PAGE = 100;

/** Creates a function that reads a conversation's messages in the journal. It reads each journal entry only once. */
export function journalReader(ask: Conversations["ask"]): Conversations["arrivals"] {
  const numbersByLane = new Map<string, Map<string, number>>();
  return async (lane) => {
    const order = numbersByLane.get(lane) ?? new Map<string, number>();
    const newest = Math.max(0, ...order.values());
    numbersByLane.set(lane, order);
    for (let before: number | undefined, more = true; more;) {
      const query = { lane, limit: PAGE, ...(before !== undefined && { before }) };
      const rows = (await ask("journal", query)) ?? [];
      for (const { key, seq } of rows) order.set(key.replace(/^message:/u, ""), seq);
      before = rows.at(-1)?.seq;
      more = rows.length === PAGE && before !== undefined && before > newest;
    }
    return order;
  };
}
