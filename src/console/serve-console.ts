import { createServer, type RequestListener } from "node:http";
import { UsageError } from "../errors.ts";
import { listen } from "../system/listen.ts";
import type { ConsoleOptions } from "./console-needs.ts";
import { liveStream } from "./live/live-stream.ts";
import { sandboxFeed } from "./live/sandbox-feed.ts";
import { openConsoleKeys } from "./sign-in/console-keys.ts";
import { openSessions } from "./sign-in/sessions.ts";

/** A console that is served. */
export interface Console {
  /** Without a slash at the end; nobody is signed in by it. */
  readonly url: string;
  /** An address that signs a browser in, once and within a day. */
  link(): string;
  close(): Promise<void>;
}

/**
 * Serves the console's page, on loopback, to browsers that were signed in by a link.
 *
 * @throws {UsageError} when the address can't be had.
 */
export async function serveConsole(options: ConsoleOptions): Promise<Console> {
  const { at, folder, runtime, sandbox, mask, linkRole } = options;
  const now = (): number => Date.now();
  const sessions = openSessions(await openConsoleKeys(folder, now), now);
  const live = liveStream({
    runtime,
    sandbox: sandbox && sandboxFeed(sandbox),
    mask,
  });
  const server = createServer();
  const port = await listen(server, at.port, at.host).catch((cause: unknown) => {
    throw new UsageError(`the console can't be served at ${at.host}:${at.port}: ${String(cause)}`, {
      cause,
      hint: "end the program that listens there, or set console.listen to another port",
    });
  });
  // The cookie's name has the port in it: browsers give the cookies of all ports to each.
  const needs = { ...options, sessions, live, cookieName: `answerback_console_${port}` };
  let app: Promise<RequestListener> | undefined;
  // Who never opens it need not load what answers.
  const answering = (): Promise<RequestListener> =>
    (app ??= import("./console-app.ts").then(({ consoleApp }) => consoleApp(needs)));
  server.on("request", (request, response) => {
    answering().then(
      (listener) => listener(request, response),
      (error: unknown) => {
        options.log.error({ err: error }, "the console could not be loaded");
        response.writeHead(500).end();
      },
    );
  });
  const url = `http://${at.host.includes(":") ? `[${at.host}]` : at.host}:${port}`;
  return {
    url,
    link: () => `${url}/sign-in?token=${sessions.link(linkRole)}`,
    async close() {
      live.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
