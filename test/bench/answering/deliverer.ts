import { createHmac } from "node:crypto";
import { connect, type Socket } from "node:net";
import { messageBody } from "../ingest/body.ts";
import { SECRET } from "../ingest/secret.ts";

/** Creates a signed message of a person to an account, sent `age` milliseconds ago, as a raw request. */
export function delivery(id: number, person: string, age = 0, account = "100"): Buffer {
  const body = JSON.stringify(messageBody(id, person, String(Date.now() - age), account));
  const signature = `sha256=${createHmac("sha256", SECRET).update(body).digest("base64")}`;
  return Buffer.from(
    `POST /webhook HTTP/1.1\r\nhost: bot.example\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n` +
      `x-platform-webhooks-signature: ${signature}\r\n\r\n${body}`,
  );
}

/** Delivers requests over kept-alive connections. If all connections are busy, a request waits. */
export interface Deliverer {
  /** Resolves with the HTTP status of the response. */
  send(request: Buffer): Promise<number>;
  close(): void;
}

interface Waiting {
  readonly request: Buffer;
  readonly resolve: (status: number) => void;
}

/** Opens up to `connections` connections to a webhook and replaces a connection that the server closes for idleness. */
export function deliverer(port: number, connections: number): Deliverer {
  const waiting: Waiting[] = [];
  const free: Socket[] = [];
  const underWay = new Map<Socket, Waiting>();
  let open = 0;
  const give = (socket: Socket, one: Waiting): void => {
    underWay.set(socket, one);
    socket.write(one.request);
  };
  const isFree = (socket: Socket): void => {
    underWay.delete(socket);
    const one = waiting.shift();
    if (one === undefined) free.push(socket);
    else give(socket, one);
  };
  const connection = (): void => {
    open += 1;
    const socket = connect(port, "127.0.0.1", () => isFree(socket));
    socket.setNoDelay(true);
    // A response is small and arrives in one piece over the loopback interface.
    socket.on("data", (chunk) => {
      const one = underWay.get(socket);
      // The server sends 408 on a connection without a request in progress, and closes it.
      if (one === undefined) return void socket.destroy();
      one.resolve(Number(chunk.toString("latin1", 9, 12)));
      isFree(socket);
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      open -= 1;
      const place = free.indexOf(socket);
      if (place >= 0) free.splice(place, 1);
      const lost = underWay.get(socket);
      underWay.delete(socket);
      if (lost !== undefined) waiting.unshift(lost);
      if (waiting.length > 0) connection();
    });
  };
  return {
    send: (request) =>
      new Promise((resolve) => {
        const socket = free.pop();
        if (socket !== undefined) return give(socket, { request, resolve });
        waiting.push({ request, resolve });
        if (open < connections) connection();
      }),
    close() {
      waiting.length = 0;
      for (const socket of [...free, ...underWay.keys()]) {
        underWay.delete(socket);
        socket.destroy();
      }
    },
  };
}
