import type { Listen, Settings } from "../../config/settings.ts";
import { openAccounts } from "../../runtime/accounts/registry.ts";
import type { RunningSandbox } from "../../sandbox/index.ts";
import type { Io } from "../io.ts";
import type { SandboxFile } from "./sandbox-file.ts";

export interface SettleNeeds {
  readonly settings: Settings;
  readonly sandbox: RunningSandbox;
  readonly folder: string;
  /** What an earlier start left. */
  readonly before: SandboxFile | undefined;
  /** Where the bot's webhook will listen. */
  readonly listen: Listen;
  readonly env: Io["env"];
}

interface User {
  readonly id: string;
  readonly username: string;
}

const PEOPLE = [
  { username: "ana", name: "Ana" },
  { username: "ben", name: "Ben" },
] as const;

/**
 * Makes what a bot on the sandbox needs, where an earlier start has not made it: an app, the bot's
 * accounts with their tokens, two people, and the way to the webhook.
 */
export async function settleIn(needs: SettleNeeds): Promise<SandboxFile> {
  const { settings, sandbox, folder, before, listen } = needs;
  const { control } = sandbox;
  const app = await appFor(needs);
  const handles = settings.accounts.length > 0 ? settings.accounts : ["hello_bot"];
  const bots: User[] = [];
  for (const username of handles) {
    const bot = await userFor(sandbox, username, username);
    bots.push(bot);
    await linkAccount(needs, app.id, bot);
  }
  const people: User[] = [];
  for (const { username, name } of PEOPLE) people.push(await userFor(sandbox, username, name));
  const webhookUrl = settings.webhook.url ?? before?.webhookUrl ?? "https://bot.example/webhook";
  await control.host(new URL(webhookUrl).hostname, `http://${listen.host}:${listen.port}`);
  const [bot] = bots;
  if (bot === undefined) throw new Error(`no bot account was made in ${folder}`);
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

/** The app of an earlier start while the world still knows it: its secrets are shown only once. */
async function appFor({ sandbox, before, settings }: SettleNeeds): Promise<SandboxFile["app"]> {
  const { control } = sandbox;
  if (before !== undefined) {
    const known = await control.get(`/apps/${before.app.id}`).then(
      () => true,
      () => false,
    );
    if (known) return before.app;
  }
  const made = await control.app({ name: "answerback dev", dialect: settings.platform.dialect });
  return {
    id: made.app_id,
    consumerKey: made.consumer_key,
    consumerSecret: made.consumer_secret,
    bearerToken: made.bearer_token,
  };
}

async function userFor({ control }: RunningSandbox, username: string, name: string): Promise<User> {
  const { users } = await control.get<{ users: User[] }>(`/users?username=${username}`);
  const [known] = users;
  return known ?? { id: await control.user(username, { name }), username };
}

async function linkAccount(needs: SettleNeeds, appId: string, bot: User): Promise<void> {
  const { sandbox, folder, before, env } = needs;
  const accounts = await openAccounts(folder, env["ANSWERBACK_KEY"]);
  const linked = accounts.find(bot.id);
  if (linked !== undefined && linked.revoked === undefined && before?.app.id === appId) return;
  const tokens = await sandbox.control.tokens(bot.id, appId);
  await accounts.put({
    ...bot,
    accessToken: tokens.access_token,
    accessTokenSecret: tokens.access_token_secret,
    linkedAt: Date.now(),
  });
}
