import { createServer, request, type Server } from "node:http";

/** Proxy between a bot and the sandbox. It reports each message and post that the bot sends. */
export interface Door {
  /** Opens the proxy. Returns the address for the bot. */
  through(sandboxUrl: string): Promise<string>;
  close(): void;
}

/**
 * Creates a proxy that is not open yet.
 *
 * @param onMessage Called twice for the bot's `n`th message or post, from 1: before the request is passed on, and
 * before the response is passed back. If the first call returns `hang`, the request is not passed on and gets no
 * response. A number that the second call returns replaces the status of the response.
 * @param onRequest Called for every request. The request is passed on once the returned promise resolves.
 */
export function door(
  onMessage: (n: number, moment: "before" | "after") => number | "hang" | undefined | void,
  onRequest?: (method: string | undefined, path: string) => Promise<void>,
): Door {
  let server: Server | undefined;
  let messages = 0;
  return {
    close() {
      server?.closeAllConnections();
      server?.close();
    },
    async through(sandboxUrl) {
      const { hostname, port } = new URL(sandboxUrl);
      const opened = createServer((incoming, outgoing) => {
        const { method, url: path = "", headers } = incoming;
        const n = method === "POST" && /\/(messages|posts)$/.test(path) ? ++messages : 0;
        if (n > 0 && onMessage(n, "before") === "hang") return;
        const pass = (): void => {
          const passed = request({ hostname, port, path, method, headers }, (answer) => {
            const instead = n > 0 ? onMessage(n, "after") : undefined;
            outgoing.writeHead(
              typeof instead === "number" ? instead : (answer.statusCode ?? 502),
              answer.headers,
            );
            answer.pipe(outgoing);
          });
          passed.on("error", () => outgoing.destroy());
          incoming.on("error", () => passed.destroy());
          incoming.pipe(passed);
        };
        if (onRequest === undefined) pass();
        else void onRequest(method, path).then(pass);
      });
      server = opened;
      await new Promise<void>((resolve) => opened.listen(0, "127.0.0.1", resolve));
      const address = opened.address();
      if (address === null || typeof address === "string") throw new Error("the door has no port");
      return `http://127.0.0.1:${address.port}`;
    },
  };
}
