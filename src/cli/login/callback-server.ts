import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "../../system/listen.ts";
import { PAGE_HEADERS, pageDocument } from "../../system/page/document.ts";
import { html } from "../../system/page/html.ts";
import { portBusyError } from "../arguments/ports.ts";

/** Page that shows the owner the outcome of the log-in. */
export interface LoginPage {
  readonly title: string;
  readonly text: string;
}

export interface CallbackServer {
  /** Callback URL, to which the platform redirects the browser. */
  readonly url: string;
  /**
   * Resolves with the query of the first callback, at any path: a proxy may forward another URL. Rejects if `signal`
   * aborts first.
   */
  callback(signal: AbortSignal): Promise<URLSearchParams>;
  /** Answers every request to the callback URL with `page`, a browser's reload too, and closes all connections. */
  close(page: LoginPage): Promise<void>;
}

/**
 * Listens on loopback for the browser that the platform redirects to the callback URL.
 *
 * @throws {UsageError} when the port is in use.
 */
export async function listenForCallback(port: number): Promise<CallbackServer> {
  let resolveFirst: (params: URLSearchParams) => void = () => {};
  const first = new Promise<URLSearchParams>((resolve) => (resolveFirst = resolve));
  const unanswered = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    const params = paramsOf(request);
    if (params === undefined) {
      response.writeHead(404, { "content-type": "text/plain" }).end("nothing here\n");
      return;
    }
    unanswered.add(response);
    response.once("close", () => unanswered.delete(response));
    resolveFirst(params);
  });
  const listening = await listen(server, port).catch((error: unknown) => {
    throw portBusyError(error, port);
  });
  return {
    url: `http://127.0.0.1:${listening}/callback`,
    callback: (signal) =>
      Promise.race([
        first,
        new Promise<never>((_, reject) => {
          const giveUp = (): void => reject(new Error("the wait for the callback was aborted"));
          if (signal.aborted) giveUp();
          else signal.addEventListener("abort", giveUp, { once: true });
        }),
      ]),
    async close(page) {
      const closed = new Promise((resolve) => server.close(resolve));
      await Promise.all(Array.from(unanswered, (response) => answer(response, page)));
      // Browsers open connections in advance. `closeIdleConnections` leaves one open that has not carried a request.
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Returns the query of a callback; undefined for other requests of a browser, such as for icons. */
function paramsOf({ url = "" }: IncomingMessage): URLSearchParams | undefined {
  const params = new URLSearchParams(/\?(.*)/s.exec(url)?.[1]);
  return params.has("oauth_token") || params.has("denied") ? params : undefined;
}

async function answer(response: ServerResponse, { title, text }: LoginPage): Promise<void> {
  const ended = once(response, "close");
  const headers = { ...PAGE_HEADERS, "content-type": "text/html; charset=utf-8" };
  response.writeHead(200, { ...headers, connection: "close" });
  const main = html`<h1>${title}</h1>
    <p>${text}</p>`;
  response.end(pageDocument({ title, main }));
  await ended;
}
