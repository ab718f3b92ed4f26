import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import express, { type NextFunction, type Request, type Response } from "express";
import * as z from "zod";
import { constantTimeEqual } from "../../system/constant-time-equal.ts";
import { messageOf } from "../../system/error-message.ts";
import { jsonBody } from "../../system/json-body.ts";
import { listen } from "../../system/listen.ts";
import { packageVersion } from "../../system/package-version.ts";
import type { Log } from "../log.ts";
import type { SecretMask } from "../../system/secrets/secret-mask.ts";
import type { RuntimeEventFeed } from "../runtime-events.ts";
import {
  type CheckedRequests,
  EVENT_STREAM,
  type ControlHandlers,
  OPERATION_NAMES,
  OPERATIONS,
} from "./contract.ts";
import { eventStream } from "./event-stream.ts";
import { IDENTITY, proofOf } from "./proof.ts";
import { type OperationName, pathNames } from "./routes.ts";
import { writeRunFile } from "./run-file.ts";

export interface ControlNeeds {
  /** Folder in which `run.json` is written. */
  readonly folder: string;
  readonly handlers: ControlHandlers;
  readonly events: RuntimeEventFeed;
  /** Start of the runtime, as ISO 8601. */
  readonly startedAt: string;
  readonly log: Log;
  /** Masks secrets in responses. */
  readonly mask?: Pick<SecretMask, "hide" | "text"> | undefined;
}

/** Running control server. */
export interface Control {
  readonly url: string;
  /** Removes `run.json` and closes all connections. */
  stop(): Promise<void>;
}

/**
 * Serves the operations of the contract, and `GET /events`, on loopback and behind a token.
 *
 * Responses are JSON; those of errors are `{error: {code, message}}`. `GET /events` sends server-sent events.
 */
export async function serveControl(needs: ControlNeeds): Promise<Control> {
  const token = randomBytes(24).toString("base64url");
  needs.mask?.hide(token);
  const server = createServer(controlApp(needs, token));
  const port = await listen(server, 0);
  const url = `http://127.0.0.1:${port}`;
  const stopServer = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  const { startedAt, folder } = needs;
  const removeRunFile = await writeRunFile(folder, {
    pid: process.pid,
    url,
    token,
    startedAt,
    version: packageVersion(),
  }).catch(async (error: unknown) => {
    await stopServer();
    throw error;
  });
  return {
    url,
    async stop() {
      await removeRunFile();
      await stopServer();
    },
  };
}

function controlApp({ handlers, events, log, mask }: ControlNeeds, token: string): express.Express {
  const app = express().disable("x-powered-by");
  app.use((request, response, next) => {
    // With DNS rebinding, a web page reaches this address by its own host name, which the `Host` header shows.
    if (!isLoopback(request.headers.host)) {
      refuse(response, 403, "forbidden", "the control server is asked as 127.0.0.1 or localhost");
    } else if (request.method === "GET" && request.path === IDENTITY.path) {
      identify(request, response, token);
    } else if (constantTimeEqual(request.headers.authorization ?? "", `Bearer ${token}`)) next();
    else refuse(response, 401, "unauthorized", "the token of run.json is needed as a bearer token");
  });
  for (const name of OPERATION_NAMES) {
    const { method, path } = OPERATIONS[name];
    app[VERBS[method]](path, jsonBody(), answering(name, handlers[name], mask));
  }
  app.get(EVENT_STREAM.path, eventStream(events, mask).answer);
  app.use((request, response) => {
    refuse(response, 404, "not-found", `nothing at ${request.method} ${request.path}`);
  });
  // Express recognises an error handler by its four parameters.
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    if (error instanceof z.ZodError) {
      refuse(response, 400, "invalid-request", z.prettifyError(error));
      return;
    }
    const status = statusOf(error);
    if (status === 500)
      log.error({ err: error, path: request.path }, "a control request could not be answered");
    const message = mask?.text(messageOf(error)) ?? messageOf(error);
    refuse(response, status, status === 500 ? "failed" : "bad-request", message);
  });
  return app;
}

/** Answers the identity request, which needs no token: the proof reveals nothing without the token. */
function identify(request: Request, response: Response, token: string): void {
  const { nonce } = request.query;
  if (typeof nonce === "string" && IDENTITY.nonce.test(nonce)) {
    response.json({ proof: proofOf(token, nonce) });
  } else refuse(response, 400, "invalid-request", "nonce: 32 hexadecimal digits");
}

const VERBS = { GET: "get", PUT: "put", POST: "post", DELETE: "delete" } as const;

/** Validators of the operations' requests, by operation. */
const READERS: {
  readonly [Name in OperationName]: {
    readonly request: { parse(raw: unknown): CheckedRequests[Name] };
  };
} = OPERATIONS;

/** Parses an operation's request, and sends the handler's result. */
function answering<Name extends OperationName>(
  name: Name,
  handle: ControlHandlers[Name],
  mask: ControlNeeds["mask"],
) {
  const { path } = OPERATIONS[name];
  return async (request: Request, response: Response): Promise<void> => {
    // Query and body are read whatever the method: a field in the wrong place must not be ignored.
    const sent: unknown = { ...request.query, ...Object(request.body), ...fromPath(path, request) };
    const checked = READERS[name].request.parse(sent);
    const text = JSON.stringify(await handle(checked));
    response.type("json").send(mask?.text(text) ?? text);
  };
}

function fromPath(path: string, { params }: Request): Record<string, unknown> {
  return Object.fromEntries(pathNames(path).map((name) => [name, params[name]]));
}

function isLoopback(host: string | undefined): boolean {
  return /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(host ?? "");
}

/**
 * Returns the HTTP status for an error: the error's own if it is a client error, such as a body that is not JSON; else
 * 500.
 */
function statusOf(error: unknown): number {
  const status =
    typeof error === "object" && error !== null && "status" in error ? error.status : undefined;
  return typeof status === "number" && status >= 400 && status < 500 ? status : 500;
}

function refuse(response: Response, status: number, code: string, message: string): void {
  response.status(status).json({ error: { code, message } });
}
