import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "../../system/listen.ts";
import { PAGE_HEADERS, pageDocument } from "../../system/page/document.ts";
import { html } from "../../system/page/html.ts";
import { portBusyError } from "../arguments/ports.ts";

/** The browser's request to the callback URL, after the owner has decided on the platform's page. */
export interface LoginCallback {
  readonly params: URLSearchParams;
  /** Answers the request with a page that shows the owner the outcome. */
  answer(title: string, text: string): void;
}

export interface CallbackServer {
  /** Callback URL, to which the platform redirects the browser. */
  readonly url: string;
  /** Resolves with the first request to the callback URL. Rejects if `signal` aborts first. */
  callback(signal: AbortSignal): Promise<LoginCallback>;
  close(): Promise<void>;
}

const PATH = "/callback";

/**
 * Listens on loopback for the browser that the platform redirects to the callback URL.
 *
 * @throws {UsageError} when the port is in use.
 */
export async function listenForCallback(port: number): Promise<CallbackServer> {
  let resolveFirst: (callback: LoginCallback) => void = () => {};
  const first = new Promise<LoginCallback>((resolve) => (resolveFirst = resolve));
  const server = createServer((request, response) => {
    const params = paramsOf(request);
    if (params === undefined) {
      response.writeHead(404, { "content-type": "text/plain" }).end("nothing here\n");
      return;
    }
    resolveFirst({ params, answer: (title, text) => answer(response, title, text) });
  });
  const listening = await listen(server, port).catch((error: unknown) => {
    throw portBusyError(error, port);
  });
  return {
    url: `http://127.0.0.1:${listening}${PATH}`,
    callback: (signal) =>
      Promise.race([
        first,
        new Promise<never>((_, reject) => {
          const giveUp = (): void => reject(new Error("the wait for the callback was aborted"));
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

/** Returns the query of a callback; undefined for other requests of a browser, such as for icons. */
function paramsOf({ url = "" }: IncomingMessage): URLSearchParams | undefined {
  const [path, query = ""] = url.split(/\?(.*)/s);
  const params = new URLSearchParams(query);
  const isBack = path === PATH && (params.has("oauth_token") || params.has("denied"));
  return isBack ? params : undefined;
}

function answer(response: ServerResponse, title: string, text: string): void {
  const headers = { ...PAGE_HEADERS, "content-type": "text/html; charset=utf-8" };
  response.writeHead(200, { ...headers, connection: "close" });
  const main = html`<h1>${title}</h1>
    <p>${text}</p>`;
  response.end(pageDocument({ title, main }));
}
