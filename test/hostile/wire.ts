import { connect, type Socket } from "node:net";
import { signatureOf } from "../../src/runtime/webhook/signature.ts";

/** A server under attack, and the strangers' knowledge about it. */
export interface Victim {
  readonly host: string;
  readonly port: number;
  /** Path of the webhook; the attackers are assumed to know it. */
  readonly path: string;
}

export const HEADER = "x-platform-webhooks-signature";
/** A well-formed signature, made with a wrong secret. */
export const FORGED = signatureOf("a body", "a stranger's guess");

/** Formats a request as bytes; it announces `length` bytes, whatever it sends. */
export function requestOf(
  { path }: Pick<Victim, "path">,
  method: string,
  headers: Readonly<Record<string, string>>,
  body = "",
  length = Buffer.byteLength(body),
): string {
  const lines = Object.entries({ host: "bot", "content-length": String(length), ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `${method} ${path} HTTP/1.1\r\n${head}\r\n${body}`;
}

/** Sends bytes over a new connection, and resolves when the server has answered or ended it. */
export function exchange(
  { host, port }: Victim,
  bytes: string | Buffer,
  answers = 1,
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    let got = "";
    const end = (): void => {
      socket.destroy();
      resolve(got);
    };
    socket.setTimeout(PATIENCE_MS, end);
    socket.on("data", (chunk: Buffer) => {
      got += chunk.toString("latin1");
      if ((got.match(/HTTP\/1\.1 [2-5]/g)?.length ?? 0) >= answers) end();
    });
    socket.on("error", end);
    socket.on("close", end);
    socket.write(bytes);
  });
}

const PATIENCE_MS = 20_000;

/** Connections that strangers keep open. The oldest are closed, so that the stranger's own machine keeps up. */
export class Held {
  readonly #sockets = new Set<Socket>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Sends `bytes` and keeps the connection open. Resolves when the bytes have left. */
  hold({ host, port }: Victim, bytes: string | Buffer): Promise<Socket> {
    return new Promise((resolve) => {
      const socket = connect(port, host);
      this.#sockets.add(socket);
      const [oldest] = this.#sockets;
      if (this.#sockets.size > this.#most) oldest?.destroy();
      // The content of answers is ignored, but must be read: otherwise the end of the connection goes unnoticed.
      socket.resume();
      socket.on("error", () => {});
      socket.once("close", () => {
        this.#sockets.delete(socket);
        resolve(socket);
      });
      socket.write(bytes, () => resolve(socket));
    });
  }

  letGo(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
