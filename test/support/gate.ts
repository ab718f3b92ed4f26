import { createServer, request } from "node:http";

/** Proxy to a server. While the proxy is shut, it cuts all connections, as if there were no server. */
export interface Gate {
  readonly url: string;
  shut(): void;
  open(): void;
  close(): Promise<void>;
}

/** Opens a proxy. @param target Origin to which requests are passed on. */
export async function gate(target: string): Promise<Gate> {
  const { hostname, port } = new URL(target);
  let isOpen = true;
  const server = createServer((incoming, outgoing) => {
    if (!isOpen) return void incoming.socket.destroy();
    const { method, url: path, headers } = incoming;
    const passed = request({ hostname, port, path, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      // If the server's response breaks off, the client's connection is cut, too.
      answer.on("error", () => outgoing.destroy()).pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the gate has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    shut() {
      isOpen = false;
      server.closeAllConnections();
    },
    open: () => void (isOpen = true),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
