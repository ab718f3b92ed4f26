import { createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { parse, stringify } from "lossless-json";
import OAuth from "oauth-1.0a";
import {
  type RunningSandbox,
  type SandboxOptions,
  startSandbox,
} from "../../../src/sandbox/index.ts";

/** A delivery as received. */
export interface ReceivedDelivery {
  readonly headers: IncomingHttpHeaders;
  readonly url: string;
  readonly raw: string;
  readonly body: Record<string, unknown>;
}

/** Response of the sandbox's API to a request, with its body parsed from JSON. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** Functions that send requests with the credentials of the bot, another user or the app. */
export interface ApiCallers {
  /** Signs the request as the bot. */
  asBot(method: string, path: string, body?: unknown): Promise<ApiResponse>;
  /** Signs the request as another user of the app. */
  asUser(userId: string, method: string, path: string, body?: unknown): Promise<ApiResponse>;
  /** Sends the request with the app's bearer token. */
  asApp(method: string, path: string, body?: unknown): Promise<ApiResponse>;
  /** Registers the receiver and subscribes the bot. Returns the webhook's id. */
  subscribed(): Promise<string>;
}

/** A sandbox with an app, a bot account, a person, and a receiver that answers challenges. */
export interface TestSandbox extends ApiCallers {
  readonly sandbox: RunningSandbox;
  readonly app: Awaited<ReturnType<RunningSandbox["control"]["app"]>>;
  readonly bot: string;
  readonly person: string;
  readonly received: ReceivedDelivery[];
  /** Path and query of every challenge so far. */
  readonly challenges: string[];
  /** Statuses with which the receiver answers the next deliveries, in order. Afterwards it answers 200. */
  readonly answers: {
    statuses: number[];
    secret: string;
    hang: boolean;
    /** Called with each delivery before it is answered. */
    onDelivery?: () => void;
  };
  /** URL of the receiver. */
  readonly target: string;
  /** Creates functions that send requests of another app, or of the same app after a reset. */
  callersFor(app: TestSandbox["app"], bot: string): ApiCallers;
  /** Resolves when the sandbox has no work in progress, such as a delivery. Does not move the clock. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export async function startTestSandbox(
  options: SandboxOptions = {},
  appSpec: Record<string, unknown> = {},
): Promise<TestSandbox> {
  const sandbox = await startSandbox(options);
  const app = await sandbox.control.app(appSpec);
  const bot = await sandbox.control.user("hello_bot");
  const person = await sandbox.control.user("alice");
  const received: ReceivedDelivery[] = [];
  const challenges: string[] = [];
  const answers: TestSandbox["answers"] = {
    statuses: [],
    secret: app.consumer_secret,
    hang: false,
  };
  const server = await receiver(received, challenges, answers);
  const { port } = server.address() as AddressInfo;
  const target = `http://127.0.0.1:${port}`;
  await sandbox.control.host("bot.example", target);

  const callersFor: TestSandbox["callersFor"] = (app, bot) => apiCallers(sandbox, app, bot);
  const idle = async (): Promise<void> => void (await sandbox.control.advance(0));
  return {
    sandbox,
    app,
    bot,
    person,
    received,
    challenges,
    answers,
    target,
    callersFor,
    ...callersFor(app, bot),
    idle,
    async close() {
      await sandbox.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function apiCallers(sandbox: RunningSandbox, app: TestSandbox["app"], bot: string): ApiCallers {
  const asUser: ApiCallers["asUser"] = async (userId, method, path, body) => {
    const tokens = await sandbox.control.tokens(userId, app.app_id);
    const url = sandbox.url + path;
    return send(method, url, signed(app, tokens, method, url), body);
  };
  const asApp: ApiCallers["asApp"] = (method, path, body) =>
    send(method, sandbox.url + path, `Bearer ${app.bearer_token}`, body);
  return {
    asUser,
    asApp,
    asBot: (method, path, body) => asUser(bot, method, path, body),
    async subscribed() {
      const response = await asApp("POST", "/2/webhooks", { url: "https://bot.example/hook" });
      const { id } = response.body["data"] as { id: string };
      await asUser(bot, "POST", `/2/account_activity/webhooks/${id}/subscriptions/all`);
      return id;
    },
  };
}

/**
 * Creates the `Authorization` header of an OAuth 1.0a request, with another project's library.
 *
 * @param at Milliseconds since the Unix epoch.
 */
export function signed(
  app: TestSandbox["app"],
  tokens: { access_token: string; access_token_secret: string },
  method: string,
  url: string,
  data?: Record<string, string>,
  at = Date.now(),
): string {
  const oauth = new OAuth({
    consumer: { key: app.consumer_key, secret: app.consumer_secret },
    signature_method: "HMAC-SHA1",
    hash_function: (base, key) => createHmac("sha1", key).update(base).digest("base64"),
  });
  oauth.getNonce = () => randomUUID();
  oauth.getTimeStamp = () => Math.floor(at / 1000);
  const token = { key: tokens.access_token, secret: tokens.access_token_secret };
  return oauth.toHeader(oauth.authorize({ url, method, data }, token)).Authorization;
}

export async function send(
  method: string,
  url: string,
  authorization: string,
  body?: unknown,
): Promise<ApiResponse> {
  const response = await fetch(url, {
    method,
    headers: { authorization, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: stringify(body) ?? "null" }),
  });
  return read(response);
}

/** Parses a response; whole numbers that JavaScript can't hold become bigints. Requests are written in the same way. */
export async function read(response: Response): Promise<ApiResponse> {
  const text = await response.text();
  const parseNumber = (digits: string): number | bigint =>
    Number.isSafeInteger(Number(digits)) || /\D/.test(digits) ? Number(digits) : BigInt(digits);
  const body = text === "" ? {} : parse(text, undefined, { parseNumber });
  return { status: response.status, headers: response.headers, body: { ...Object(body) } };
}

function receiver(
  received: ReceivedDelivery[],
  challenges: string[],
  answers: TestSandbox["answers"],
): Promise<Server> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (answers.hang) return;
      const raw = Buffer.concat(chunks).toString();
      const url = request.url ?? "";
      const token = new URL(url, "http://x").searchParams.get("crc_token");
      response.setHeader("content-type", "application/json");
      if (token !== null) {
        challenges.push(url);
        const hash = createHmac("sha256", answers.secret).update(token).digest("base64");
        response.end(JSON.stringify({ response_token: `sha256=${hash}` }));
        return;
      }
      answers.onDelivery?.();
      response.statusCode = answers.statuses.shift() ?? 200;
      if (response.statusCode === 200) {
        received.push({
          headers: request.headers,
          url,
          raw,
          body: JSON.parse(raw) as ReceivedDelivery["body"],
        });
      }
      response.end("{}");
    });
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}
