import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Dispatcher } from "undici";
import type { Client } from "../../../src/client/client.ts";
import { createClient } from "../../../src/client/create-client.ts";
import type { OAuth1Credentials } from "../../../src/client/auth/credentials.ts";
import type { Dialect } from "../../../src/protocol/dialects.ts";
import { type RunningSandbox, startSandbox } from "../../../src/sandbox/index.ts";

/** A sandbox with an app, a bot, a person and a webhook receiver that answers challenges. */
export interface World {
  readonly sandbox: RunningSandbox;
  readonly app: Awaited<ReturnType<RunningSandbox["control"]["app"]>>;
  readonly botId: string;
  readonly personId: string;
  readonly bot: Client<"oauth1">;
  readonly person: Client<"oauth1">;
  readonly appOnly: Client<"bearer">;
  readonly credentials: OAuth1Credentials;
  /** Creates a user's token for the app, without the log-in pages. */
  credentialsOf(userId: string): Promise<OAuth1Credentials>;
  close(): Promise<void>;
}

/** Starts a sandbox with an app, bot and person; its clients use this dialect, and `dispatcher` if one is passed. */
export async function world(
  dialect: Dialect = "post",
  appSpec: Readonly<Record<string, unknown>> = {},
  dispatcher?: Dispatcher,
): Promise<World> {
  const sandbox = await startSandbox();
  const app = await sandbox.control.app({ dialect, ...appSpec });
  const receiver = await challenged(app.consumer_secret);
  await sandbox.control.host("bot.example", receiver.url);
  const botId = await sandbox.control.user("hello_bot");
  const personId = await sandbox.control.user("alice");
  const credentialsOf = async (userId: string): Promise<OAuth1Credentials> => {
    const tokens = await sandbox.control.tokens(userId, app.app_id);
    return {
      type: "oauth1",
      consumerKey: app.consumer_key,
      consumerSecret: app.consumer_secret,
      accessToken: tokens.access_token,
      accessTokenSecret: tokens.access_token_secret,
    };
  };
  const credentials = await credentialsOf(botId);
  const bot: Client<"oauth1"> = createClient({
    baseUrl: sandbox.url,
    adsBaseUrl: sandbox.adsUrl,
    dialect,
    credentials,
    retry: false,
    dispatcher,
  });
  return {
    sandbox,
    app,
    botId,
    personId,
    bot,
    credentials,
    credentialsOf,
    person: bot.as(await credentialsOf(personId)),
    appOnly: bot.as({ type: "bearer", bearerToken: app.bearer_token }),
    close: async () => {
      await bot.close();
      await sandbox.close();
      await receiver.close();
    },
  };
}

/** Starts a receiver that answers challenges with the app's secret, and 200 to everything else. */
async function challenged(secret: string): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume();
    const token = new URL(request.url ?? "", "http://bot.example").searchParams.get("crc_token");
    const digest = createHmac("sha256", secret)
      .update(token ?? "")
      .digest("base64");
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ response_token: `sha256=${digest}` }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Returns the error with which a call rejects. @throws if the call succeeds */
export async function failureOf(call: Promise<unknown>): Promise<unknown> {
  const end = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ("error" in end) return end.error;
  throw new Error(`the call succeeded with ${JSON.stringify(end.value)}`);
}
