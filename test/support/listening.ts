import { createServer, type RequestListener } from "node:http";

/** Runs an HTTP server on loopback while `during` runs. Passes the server's origin to `during`. */
export async function listening<T>(
  handler: RequestListener,
  during: (origin: string) => Promise<T>,
): Promise<T> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  try {
    return await during(`http://127.0.0.1:${address.port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
