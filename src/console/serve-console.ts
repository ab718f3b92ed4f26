import { createServer, type RequestListener } from "node:http";
import type { ConsoleAppNeeds } from "./console-app-needs.ts";
import { UsageError } from "../errors.ts";
import { addressFault } from "../system/address-fault.ts";
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
  /** Address of the console, without a trailing slash. It has no token: only an invitation signs a browser in. */
  readonly url: string;
  readonly sessions: SessionRegister;
  /** Creates an invitation, with which one browser can sign in once. */
  invite(request?: InvitationRequest): Promise<ConsoleInvitation>;
  close(): Promise<void>;
}

export interface InvitationRequest {
  /** Path of the page to open. Default: the first page. */
  readonly to?: string;
  /** Whether to write a file that signs in the browser that opens it. Needs a folder. */
  readonly file?: boolean;
  /** Whether the invitation has a code for a person to enter. @default true */
  readonly code?: boolean;
}

/** Invitation for one browser: several ways to sign in, of which only one can be used, and only once. */
export interface ConsoleInvitation {
  /**
   * Address that signs a browser in without a code, valid for a minute. For use in programs: other users can see the
   * arguments of a process.
   */
  readonly url: string;
  /** Address of the page on which the code is entered. */
  readonly page: string;
  /** Code for people, valid for an hour. */
  readonly code?: string;
  /**
   * `file://` address of the sign-in file, which only its owner can read. The file is removed after its use, at the
   * latest after a minute. Absent if it was not requested or can't be written.
   */
  readonly file?: string;
}

/**
 * Serves the console on loopback, to browsers with an invitation.
 *
 * @throws {UsageError} when the address is not available.
 */
export async function serveConsole(options: ConsoleOptions): Promise<Console> {
  const { at, folder, runtime, sandbox, mask, linkRole, log } = options;
  const now = (): number => Date.now();
  const onUnstored = (error: unknown): void =>
    log.warn({ err: error }, "sign-ins to the console can't be stored: they end with this process");
  const sessionFile = await openSessionFile(folder, options.adminToken, onUnstored);
  if (folder !== undefined) await removeSignInFiles(folder);
  const invitations = openInvitations(now);
  const live = liveStream({ runtime, sandbox: sandbox && sandboxFeed(sandbox), mask });
  const server = createServer();
  const port = await listen(server, at.port, at.host).catch((cause: unknown) => {
    const { message, ...fault } = addressFault(cause, at, "console.listen");
    throw new UsageError(`the console can't be served: ${message}`, { cause, ...fault });
  });
  const sessions = openSessions(sessionFile, port, now, onUnstored);
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
      const fileUrl = await file?.write({ console: url, token, to: to ?? "/" }).then(
        () => file.url,
        (error: unknown) => {
          log.warn({ err: error }, "the sign-in file can't be written; the code signs in, too");
          return undefined;
        },
      );
      const page = `${url}/sign-in${to === undefined ? "" : `?to=${encodeURIComponent(to)}`}`;
      return {
        url: `${page}#token=${token}`,
        page,
        ...(code !== undefined && { code }),
        ...(fileUrl !== undefined && { file: fileUrl }),
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

/** Returns a listener that loads the console's code at the first request, because most consoles are never opened. */
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
