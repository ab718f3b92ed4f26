import type { Server } from "node:net";

/**
 * Starts listening and waits until connections are accepted.
 *
 * @param port 0 lets the system choose a free one.
 * @param host An IPv6 address may be in brackets.
 * @returns The port that the server listens on.
 * @throws the system's own error, such as `EADDRINUSE`.
 */
export async function listen(server: Server, port: number, host = "127.0.0.1"): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host.replace(/^\[(.*)\]$/, "$1"), () => {
      server.off("error", reject);
      resolve();
    });
  });
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}
