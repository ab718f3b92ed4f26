import { createServer, type RequestListener } from "node:http";
import type { ConsoleAppNeeds } from "./console-app-needs.ts";
import { UsageError } from "../errors.ts";
import { listen } from "../system/listen.ts";
import type { ConsoleOptions } from "./console-needs.ts";
import { liveStream } from "./live/live-stream.ts";
import { sandboxFeed } from "./live/sandbox-feed.ts";
import { openInvitations } from "./sign-in/invitations.ts";
import { openSessionFile } from "./sign-in/session-file.ts";
import { openSessions, type SessionRegister } from "./sign-in/sessions.ts";
import { removeSignInFiles, signInFile } from "./sign-in/sign-in-file.ts";

/** A running console. */
export interface Console {
  /** Address without a trailing slash. It signs in no browser. */
  readonly url: string;
  readonly sessions: SessionRegister;
  /** Creates an invitation for one sign-in of one browser. */
  invite(request?: InvitationRequest): Promise<ConsoleInvitation>;
  close(): Promise<void>;
}

export interface InvitationRequest {
  /** Path of the page to open; the first page unless passed. */
  readonly to?: string;
  /** Whether to write a file that signs in the browser that opens it. It needs a folder. */
  readonly file?: boolean;
  /** Whether there is a code for a person to enter. @default true */
  readonly code?: boolean;
}

/** Ways for one browser to sign in; the first that is used ends the others. */
export interface ConsoleInvitation {
  /** Address that signs in by itself, within a minute. For programs: other users can see the arguments of a process. */
  readonly url: string;
  /** Address of the page on which the code is entered. */
  readonly page: string;
  /** Code for people, valid for an hour. */
  readonly code?: string;
  /** `file://` address of the file; its owner alone can read it. It is removed once it was used, and after a minute. */
  readonly file?: string;
}

/**
 * Serves the console's page on loopback to invited browsers.
 *
 * @throws {UsageError} when the address is not available.
 */
export async function serveConsole(options: ConsoleOptions): Promise<Console> {
  const { at, folder, runtime, sandbox, mask, linkRole } = options;
  const now = (): number => Date.now();
  const sessionFile = await openSessionFile(folder, options.adminToken);
  if (folder !== undefined) await removeSignInFiles(folder);
  const invitations = openInvitations(now);
  const live = liveStream({ runtime, sandbox: sandbox && sandboxFeed(sandbox), mask });
  const server = createServer();
  const port = await listen(server, at.port, at.host).catch((cause: unknown) => {
    throw new UsageError(`the console can't be served at ${at.host}:${at.port}: ${String(cause)}`, {
      cause,
      hint: "end the program that listens there, or set console.listen to another port",
    });
  });
  const sessions = openSessions(sessionFile, port, now);
  server.on("request", laterApp({ ...options, sessions, invitations, live }));
  const url = `http://${at.host.includes(":") ? `[${at.host}]` : at.host}:${port}`;
  return {
    url,
    sessions,
    async invite({ to, file: inFile = false, code: withCode = true } = {}) {
      const file = inFile && folder !== undefined ? signInFile(folder) : undefined;
      const { token, code } = invitations.create(linkRole, {
        withCode,
        onSpent: file?.remove,
      });
      await file?.write({ console: url, token, to: to ?? "/" });
      const page = `${url}/sign-in${to === undefined ? "" : `?to=${encodeURIComponent(to)}`}`;
      return {
        url: `${page}#token=${token}`,
        page,
        ...(code !== undefined && { code }),
        ...(file && { file: file.url }),
      };
    },
    async close() {
      invitations.close();
      live.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Listener that loads the console's program with the first request: a console that is never opened loads nothing. */
function laterApp(needs: ConsoleAppNeeds): RequestListener {
  let app: Promise<RequestListener> | undefined;
  return (request, response) => {
    app ??= import("./console-app.ts").then(({ consoleApp }) => consoleApp(needs));
    app.then(
      (listener) => listener(request, response),
      (error: unknown) => {
        needs.log.error({ err: error }, "the console could not be loaded");
        response.writeHead(500).end();
      },
    );
  };
}
