import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { busyPort } from "../ports.ts";

/** The owner's browser, back from the platform. */
export interface Arrival {
  readonly params: URLSearchParams;
  /** Shows the owner how it ended. */
  answer(title: string, text: string): void;
}

export interface CallbackServer {
  /** What the platform sends the browser back to. */
  readonly url: string;
  /** The browser, once it is back. Rejects when `signal` is aborted before. */
  arrival(signal: AbortSignal): Promise<Arrival>;
  close(): Promise<void>;
}

const PATH = "/callback";

/**
 * Waits on loopback for one browser to come back.
 *
 * @throws {UsageError} when the port is taken.
 */
export async function listenForCallback(port: number): Promise<CallbackServer> {
  let arrived: (arrival: Arrival) => void = () => {};
  const first = new Promise<Arrival>((resolve) => (arrived = resolve));
  const server = createServer((request, response) => {
    const params = paramsOf(request);
    if (params === undefined) {
      response.writeHead(404, { "content-type": "text/plain" }).end("nothing here\n");
      return;
    }
    arrived({ params, answer: (title, text) => answer(response, title, text) });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(busyPort(error, port)));
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  const taken = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://127.0.0.1:${taken}${PATH}`,
    arrival: (signal) =>
      Promise.race([
        first,
        new Promise<never>((_, reject) => {
          const giveUp = (): void => reject(new Error("nobody waits any longer"));
          if (signal.aborted) giveUp();
          else signal.addEventListener("abort", giveUp, { once: true });
        }),
      ]),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      await closed;
    },
  };
}

/** The query of a callback; a browser also asks for icons, which is none. */
function paramsOf({ url = "" }: IncomingMessage): URLSearchParams | undefined {
  const [path, query = ""] = url.split(/\?(.*)/s);
  const params = new URLSearchParams(query);
  const isBack = path === PATH && (params.has("oauth_token") || params.has("denied"));
  return isBack ? params : undefined;
}

function answer(response: ServerResponse, title: string, text: string): void {
  response.writeHead(200, { "content-type": "text/html; charset=utf-8", connection: "close" });
  response.end(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
  :root { color-scheme: light dark }
  body { font: 1rem/1.5 system-ui, sans-serif; margin: 20vh auto 0; max-width: 28rem; padding: 0 1rem; text-align: center }
</style>
<h1>${title}</h1>
<p>${text}</p>
</html>
`);
}
