import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "../../../src/system/listen.ts";

/** Minimal platform for a bot that answers messages. It has no limits and uses hardly any processor time. */
export interface Platform {
  readonly url: string;
  /** Called when the request of a reply has arrived completely. */
  onReply: (person: string) => void;
  /** Number of received replies. */
  replies(): number;
  close(): Promise<void>;
}

/** Starts the platform on a free loopback port, with subscriptions for `accounts`. */
export async function startPlatform(
  webhookUrl: string,
  accounts: readonly string[] = ["100"],
): Promise<Platform> {
  let messages = 0;
  const reply = (person: string): object => {
    platform.onReply(person);
    messages += 1;
    return {
      data: { dm_conversation_id: `100-${person}`, dm_event_id: String(5_000_000 + messages) },
    };
  };
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => answer(request, response, { webhookUrl, accounts, reply }));
  });
  const port = await listen(server, 0);
  const platform: Platform = {
    url: `http://127.0.0.1:${port}`,
    onReply: () => {},
    replies: () => messages,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return platform;
}

interface Answering {
  readonly webhookUrl: string;
  readonly accounts: readonly string[];
  readonly reply: (person: string) => object;
}

const REPLY = /^\/2\/dm_conversations\/with\/(\d+)\/messages$/;

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { webhookUrl, accounts, reply }: Answering,
): void {
  const path = request.url?.split("?", 1)[0] ?? "";
  const person = request.method === "POST" ? REPLY.exec(path)?.[1] : undefined;
  if (person !== undefined) return send(response, 201, reply(person));
  const webhook = { id: "44", url: webhookUrl, valid: true, created_at: "2025-10-09T08:53:20Z" };
  if (path === "/2/webhooks") return send(response, 200, { data: [webhook] });
  if (path.startsWith("/2/webhooks/")) return send(response, 200, { data: { valid: true } });
  if (path.endsWith("/subscriptions/all/list")) {
    return send(response, 200, {
      data: {
        application_id: "1",
        webhook_id: "1",
        webhook_url: "https://bot.example/webhook",
        subscriptions: accounts.map((id) => ({ user_id: id })),
      },
    });
  }
  if (path.endsWith("/subscriptions/all"))
    return send(response, 200, { data: { subscribed: true } });
  send(response, 404, { title: "Not Found", detail: `the bench has no ${path}`, status: 404 });
}

const PLENTY = {
  "content-type": "application/json",
  "x-rate-limit-limit": "100000000",
  "x-rate-limit-remaining": "99999999",
  "x-user-limit-24hour-limit": "100000000",
  "x-user-limit-24hour-remaining": "99999999",
  "x-app-limit-24hour-limit": "100000000",
  "x-app-limit-24hour-remaining": "99999999",
};

function send(response: ServerResponse, status: number, body: object): void {
  const reset = String(Math.floor(Date.now() / 1_000) + 900);
  response.writeHead(status, {
    ...PLENTY,
    "x-rate-limit-reset": reset,
    "x-user-limit-24hour-reset": reset,
    "x-app-limit-24hour-reset": reset,
  });
  response.end(JSON.stringify(body));
}
