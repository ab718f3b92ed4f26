import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "../../src/system/listen.ts";

/**
 * Proxy from the sandbox to the bot's webhook. Its address stays the same while bots are restarted. It records which
 * messages the bot has acknowledged, even if the bot's HTTP response gets lost.
 */
export interface RecordingDoor {
  readonly url: string;
  /** Sets the bot's address. While it is undefined, requests are refused. */
  lead(url: string | undefined): void;
  /** Ids of the messages whose delivery the bot acknowledged with a 2xx status. */
  readonly acknowledged: ReadonlySet<string>;
  close(): Promise<void>;
}

/** Opens a proxy that refuses requests until {@link RecordingDoor.lead} is called. */
export async function recordingDoor(): Promise<RecordingDoor> {
  const acknowledged = new Set<string>();
  let bot: URL | undefined;
  const server = createServer((incoming, outgoing) => {
    if (bot === undefined) return void incoming.socket.destroy();
    pass(bot, incoming, outgoing, (body) => {
      for (const id of messageIds(body)) acknowledged.add(id);
    });
  });
  const port = await listen(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    lead: (url) => (bot = url === undefined ? undefined : new URL(url)),
    acknowledged,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pass(
  bot: URL,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  onAcknowledged: (body: string) => void,
): void {
  const { method, url: path, headers } = incoming;
  const chunks: Buffer[] = [];
  const { hostname, port } = bot;
  const passed = request({ hostname, port, path, method, headers }, (answer) => {
    const status = answer.statusCode ?? 502;
    if (status < 300 && method === "POST") onAcknowledged(Buffer.concat(chunks).toString("utf8"));
    outgoing.writeHead(status, answer.headers);
    answer.on("error", () => outgoing.destroy()).pipe(outgoing);
  });
  passed.on("error", () => outgoing.destroy());
  incoming.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", () => passed.destroy());
  incoming.pipe(passed);
}

function messageIds(body: string): readonly string[] {
  const { direct_message_events: events }: { direct_message_events?: readonly { id: string }[] } =
    JSON.parse(body);
  return (events ?? []).map(({ id }) => id);
}
