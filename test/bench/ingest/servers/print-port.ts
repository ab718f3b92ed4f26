import type { Server } from "node:net";

/** Listens on a free port and prints it. */
export function printPort(server: Server): void {
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    process.stdout.write(`${port}\n`);
  });
}
