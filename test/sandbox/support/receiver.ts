import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A webhook that outlives the sandbox. */
export interface Receiver {
  readonly target: string;
  /** Consumer secret of the app, with which the answers to challenges are signed. */
  secret: string;
  /** Whether deliveries are accepted; otherwise they are answered with 503. Challenges are answered in any case. */
  isUp: boolean;
  /** Number of deliveries answered with 503. */
  refused: number;
  readonly bodies: Record<string, unknown>[];
  /** Called with each delivery before it is answered. */
  onDelivery: (body: Record<string, unknown>) => void;
  /** Texts of the delivered messages. */
  texts(): string[];
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const token = new URL(request.url ?? "", "http://x").searchParams.get("crc_token");
      response.setHeader("content-type", "application/json");
      if (token !== null) {
        const hash = createHmac("sha256", receiver.secret).update(token).digest("base64");
        response.end(JSON.stringify({ response_token: `sha256=${hash}` }));
        return;
      }
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
      receiver.onDelivery(body);
      if (receiver.isUp) receiver.bodies.push(body);
      else receiver.refused += 1;
      response.statusCode = receiver.isUp ? 200 : 503;
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const receiver: Receiver = {
    target: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secret: "",
    isUp: true,
    refused: 0,
    bodies: [],
    onDelivery: () => undefined,
    texts: () =>
      receiver.bodies.flatMap((body) => /"text":"([^"]*)"/.exec(JSON.stringify(body))?.[1] ?? []),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
