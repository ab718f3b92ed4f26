import type { Listen, Settings } from "../../config/settings.ts";
import type { RunningSandbox } from "../../sandbox/index.ts";
import { withAccounts } from "../accounts/with-accounts.ts";
import type { SandboxFile } from "./sandbox-file.ts";

export interface SeedOptions {
  readonly settings: Settings;
  readonly sandbox: Pick<RunningSandbox, "url" | "adsUrl" | "control">;
  readonly folder: string;
  /** Content of `sandbox.json` from an earlier start. */
  readonly before: SandboxFile | undefined;
  /** Address on which the bot's webhook will listen, if the address is known already. */
  readonly listen?: Listen;
  /** Users to create as the bot's conversation partners. */
  readonly people: readonly { readonly username: string; readonly name: string }[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface User {
  readonly id: string;
  readonly username: string;
}

/**
 * Creates what a bot on the sandbox needs: an app, the bot's accounts with their tokens, users, and the route to the
 * webhook. Parts that an earlier start has created stay.
 */
export async function seedSandbox(options: SeedOptions): Promise<SandboxFile> {
  const { settings, sandbox, folder, before, listen } = options;
  const { control } = sandbox;
  const app = await appFor(options);
  const handles = settings.accounts.length > 0 ? settings.accounts : ["hello_bot"];
  const bots: User[] = [];
  for (const username of handles) {
    const bot = await userFor(sandbox, username, username);
    bots.push(bot);
    await linkAccount(options, app.id, bot);
  }
  const people: User[] = [];
  for (const { username, name } of options.people) {
    people.push(await userFor(sandbox, username, name));
  }
  const webhookUrl = settings.webhook.url ?? before?.webhookUrl ?? "https://bot.example/webhook";
  if (listen !== undefined) await leadWebhook(sandbox, webhookUrl, listen);
  const [bot] = bots;
  if (bot === undefined) throw new Error(`no bot account was created in ${folder}`);
  return {
    pid: process.pid,
    baseUrl: sandbox.url,
    adsBaseUrl: sandbox.adsUrl,
    controlUrl: control.url,
    controlToken: control.token,
    webhookUrl,
    app,
    bot,
    people,
  };
}

/** Loopback address of a server that listens on all addresses of this machine, by the host of `listen`. */
const LOOPBACK_OF_ALL = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["[::]", "[::1]"],
]);

/** Routes the sandbox's deliveries for a public webhook URL to a server on this machine. */
export async function leadWebhook(
  { control }: Pick<RunningSandbox, "control">,
  webhookUrl: string,
  { host, port }: Listen,
): Promise<void> {
  const target = LOOPBACK_OF_ALL.get(host) ?? host;
  await control.host(new URL(webhookUrl).hostname, `http://${target}:${port}`);
}

/**
 * Returns the app of an earlier start if the sandbox still has it, because its secrets are shown only once; else a new
 * app.
 */
async function appFor({ sandbox, before, settings }: SeedOptions): Promise<SandboxFile["app"]> {
  const { control } = sandbox;
  if (before !== undefined) {
    const isThere = await control.appSettings(before.app.id).then(
      () => true,
      () => false,
    );
    if (isThere) return before.app;
  }
  const app = await control.app({ name: "answerback dev", dialect: settings.platform.dialect });
  return {
    id: app.app_id,
    consumerKey: app.consumer_key,
    consumerSecret: app.consumer_secret,
    bearerToken: app.bearer_token,
  };
}

type Sandbox = SeedOptions["sandbox"];

async function userFor({ control }: Sandbox, username: string, name: string): Promise<User> {
  const [user] = await control.users(username);
  return user ?? { id: await control.user(username, { name }), username };
}

async function linkAccount(options: SeedOptions, appId: string, bot: User): Promise<void> {
  const { settings, sandbox, folder, before, env } = options;
  await withAccounts({ ...settings, folder }, env["ANSWERBACK_KEY"], async (accounts) => {
    const linked = accounts.find(bot.id);
    if (linked !== undefined && linked.revoked === undefined && before?.app.id === appId) return;
    const tokens = await sandbox.control.tokens(bot.id, appId);
    const { now } = await sandbox.control.clock();
    await accounts.put({
      ...bot,
      accessToken: tokens.access_token,
      accessTokenSecret: tokens.access_token_secret,
      linkedAt: Date.parse(now),
    });
  });
}
