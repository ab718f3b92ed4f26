import { createServer, type IncomingHttpHeaders, request, type Server } from "node:http";

/** Proxy between the platform and a bot. It stores the deliveries that the bot acknowledges, to repeat them. */
export interface Way {
  /** URL that the platform delivers to. */
  readonly url: string;
  /** Number of message deliveries that the bot has acknowledged. */
  readonly acknowledged: () => number;
  /** Delivers the first `count` deliveries again, one after the other, as the platform would. */
  repeat(count: number, pauseMs: number): Promise<void>;
  close(): void;
}

interface Delivered {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Opens the proxy for a bot that listens at `port`. */
export async function openWay(port: number): Promise<Way> {
  const delivered: Delivered[] = [];
  const bring = (method: string, { path, headers, body }: Delivered) =>
    new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
      const passed = request({ host: "127.0.0.1", port, method, path, headers }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (piece: string) => (text += piece));
        answer.once("end", () => resolve({ status: answer.statusCode ?? 502, text }));
        answer.once("error", reject);
      });
      passed.once("error", reject);
      passed.end(body);
    });
  const pass = async (method: string, one: Delivered) => {
    const answer = await bring(method, one);
    const isKept = answer.status === 200 && one.body.includes('"direct_message_events"');
    if (isKept) delivered.push(one);
    return answer;
  };
  const server: Server = createServer((incoming, outgoing) => {
    const pieces: Buffer[] = [];
    incoming.on("data", (piece: Buffer) => pieces.push(piece));
    incoming.once("end", () => {
      const { method = "GET", url: path = "/", headers } = incoming;
      const one = { path, headers, body: Buffer.concat(pieces) };
      void pass(method, one).then(
        (answer) => outgoing.writeHead(answer.status).end(answer.text),
        () => outgoing.destroy(),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const own = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${own}`,
    acknowledged: () => delivered.length,
    async repeat(count, pauseMs) {
      for (const one of delivered.slice(0, count)) {
        await bring("POST", one);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
