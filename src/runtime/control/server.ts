import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import express, { type NextFunction, type Request, type Response } from "express";
import * as z from "zod";
import type { Log } from "../log.ts";
import type { ItemQuery, JournalQuery, Store } from "../store/store.ts";
import { writeRunFile } from "./run-file.ts";

/** What a running runtime says of itself. */
export interface RuntimeStatus {
  readonly target: string;
  readonly startedAt: string;
  /** The platform's time. */
  readonly now: string;
  readonly webhook: { readonly listen: string; readonly url: string; readonly id?: string };
  readonly accounts: readonly {
    readonly id: string;
    readonly username: string;
    readonly subscribed: boolean;
  }[];
  readonly rules: {
    readonly count: number;
    readonly revision: string;
    readonly problems: readonly string[];
  };
  readonly bots: readonly { readonly name: string; readonly triggers: readonly string[] }[];
  readonly botFaults: readonly string[];
}

export interface ControlNeeds {
  /** Folder that gets `run.json`. */
  readonly folder: string;
  readonly store: Pick<Store, "journal" | "items" | "stats">;
  status(): RuntimeStatus;
  /** The list of linked accounts, which nobody but the running runtime may change. */
  readonly accounts: AccountBook;
  readonly log: Log;
}

/** Changes of the linked accounts. */
export interface AccountBook {
  put(account: z.infer<typeof linkedAccount>): Promise<void>;
  /** @returns `false` when there was no such account. */
  remove(id: string): Promise<boolean>;
}

export interface Control {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves what the command line asks of a running runtime, on loopback and behind a token.
 *
 * `GET /status`, `GET /journal`, `GET /outbox`, `PUT /accounts`, `DELETE /accounts/:id`; answers are JSON, errors `{error: {code, message}}`.
 */
export async function serveControl(needs: ControlNeeds): Promise<Control> {
  const token = randomBytes(24).toString("base64url");
  const app = express().disable("x-powered-by");
  app.use((request, response, next) => {
    // A web page that has its own name point here would come with that name.
    if (!isLoopback(request.headers.host)) {
      refuse(response, 403, "forbidden", "the control server is asked as 127.0.0.1 or localhost");
    } else if (isAllowed(request.headers.authorization, token)) next();
    else refuse(response, 401, "unauthorized", "the token of run.json is needed as a bearer token");
  });
  app.get("/status", async (_request, response) => {
    response.json({ ...needs.status(), store: await needs.store.stats() });
  });
  app.get(
    "/journal",
    answering(journalQuery, (query: JournalQuery) => needs.store.journal(query)),
  );
  app.get(
    "/outbox",
    answering(itemQuery, (query: ItemQuery) => needs.store.items(query)),
  );
  app.put("/accounts", express.json(), async (request, response) => {
    const account = linkedAccount.safeParse(request.body);
    if (!account.success) {
      refuse(response, 400, "bad_account", z.prettifyError(account.error));
      return;
    }
    await needs.accounts.put(account.data);
    response.json({ id: account.data.id });
  });
  app.delete("/accounts/:id", async (request, response) => {
    response.json({ removed: await needs.accounts.remove(request.params.id) });
  });
  app.use((request, response) => {
    refuse(response, 404, "not_found", `nothing at ${request.path}`);
  });
  // Express knows an error handler by its four parameters.
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    const status = statusOf(error);
    if (status === 500) needs.log.error({ err: error, path: request.path }, "not answered");
    refuse(response, status, status === 500 ? "failed" : "bad_request", messageOf(error));
  });

  const server = createServer(app);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const url = `http://127.0.0.1:${port}`;
  const closeServer = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  const { startedAt } = needs.status();
  const removeRunFile = await writeRunFile(needs.folder, {
    pid: process.pid,
    url,
    token,
    startedAt,
  }).catch(async (error: unknown) => {
    await closeServer();
    throw error;
  });
  return {
    url,
    async close() {
      await removeRunFile();
      await closeServer();
    },
  };
}

const linkedAccount = z.strictObject({
  id: z.string().min(1),
  username: z.string().min(1),
  accessToken: z.string().min(1),
  accessTokenSecret: z.string().min(1),
  /** Milliseconds since the epoch. */
  linkedAt: z.number(),
});

const whole = z.coerce.number().int().positive();
const limit = whole.max(1_000).default(50);
const journalQuery = z.strictObject({
  before: whole.optional(),
  seq: whole.optional(),
  account: z.string().optional(),
  lane: z.string().optional(),
  key: z.string().optional(),
  limit,
});
const itemQuery = z.strictObject({
  id: whole.optional(),
  seq: whole.optional(),
  lane: z.string().optional(),
  status: z.enum(["pending", "sending", "sent", "failed", "expired", "unknown"]).optional(),
  before: whole.optional(),
  limit,
});

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

function answering<T extends object, R>(
  schema: z.ZodType<T>,
  answer: (query: Defined<T>) => Promise<R>,
) {
  return async (request: Request, response: Response): Promise<void> => {
    const query = schema.safeParse(request.query);
    if (query.success) response.json(await answer(query.data as Defined<T>));
    else refuse(response, 400, "bad_query", z.prettifyError(query.error));
  };
}

function isLoopback(host: string | undefined): boolean {
  return /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(host ?? "");
}

/** A body that is no JSON carries its own status; anything else is our fault. */
function statusOf(error: unknown): number {
  const status =
    typeof error === "object" && error !== null && "status" in error ? error.status : undefined;
  return typeof status === "number" && status >= 400 && status < 500 ? status : 500;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isAllowed(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header ?? "");
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function refuse(response: Response, status: number, code: string, message: string): void {
  response.status(status).json({ error: { code, message } });
}
