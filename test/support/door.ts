import { createServer, request, type Server } from "node:http";

/** Proxy between a bot and the sandbox that reports each message and post of the bot. */
export interface Door {
  /** Opens the proxy. Returns the address for the bot. */
  through(sandboxUrl: string): Promise<string>;
  close(): void;
}

/**
 * @param onMessage Called with message number `n`, counted from 1, before it is passed on, and again before its answer
 * is passed back. In the second call, its result replaces the status of the platform's answer. `hang` in the first call
 * withholds the request and answers nothing.
 */
export function door(
  onMessage: (n: number, moment: "before" | "after") => number | "hang" | undefined | void,
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
      });
      server = opened;
      await new Promise<void>((resolve) => opened.listen(0, "127.0.0.1", resolve));
      const address = opened.address();
      if (address === null || typeof address === "string") throw new Error("the door has no port");
      return `http://127.0.0.1:${address.port}`;
    },
  };
}
