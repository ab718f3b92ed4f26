import { createServer, request, type Server } from "node:http";

const doors: Server[] = [];

/** Closes every proxy that {@link holdingBack} opened. */
export function closeDoors(): void {
  for (const door of doors.splice(0)) {
    door.closeAllConnections();
    door.close();
  }
}

/**
 * Creates a proxy between bot and sandbox. It withholds the sandbox's responses to messages until `release` is called,
 * and passes everything else on. With `before` it withholds nothing. `refuse(true)` makes it refuse messages with 429,
 * without passing them on.
 */
export function holdingBack({ before = false } = {}) {
  let refusing = false;
  let onHeld = (): void => {};
  let holding = !before;
  const held = new Promise<void>((resolve) => (onHeld = resolve));
  return {
    held,
    release: () => (holding = false),
    refuse: (on: boolean) => (refusing = on),
    through: async (sandboxUrl: string): Promise<string> => {
      const { hostname, port } = new URL(sandboxUrl);
      const server = createServer((incoming, outgoing) => {
        const isMessage =
          incoming.method === "POST" && incoming.url?.endsWith("/messages") === true;
        if (isMessage && refusing) {
          incoming.resume();
          outgoing.writeHead(429, { "content-type": "application/json" }).end("{}");
          return;
        }
        const { url: path, method, headers } = incoming;
        const passed = request({ hostname, port, path, method, headers }, (answer) => {
          if (isMessage && holding) {
            answer.resume();
            answer.on("end", onHeld);
            return;
          }
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(outgoing);
        });
        passed.on("error", () => outgoing.destroy());
        incoming.pipe(passed);
      });
      doors.push(server);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const address = server.address();
      return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
    },
  };
}
