import type { AccessLevel } from "../../protocol/access.ts";
import { UsageError } from "../../errors.ts";
import type { Settings } from "../../config/settings.ts";
import { withAccounts } from "../../runtime/accounts.ts";
import { callRuntime } from "../../runtime/calls.ts";
import { dataFolder } from "../arguments/settings-flags.ts";
import type { Io } from "../io.ts";
import { platformTime } from "../target/platform-time.ts";
import { linkedAccounts, type UserRef, type PlatformTarget } from "../target/target.ts";

export interface LinkResult extends UserRef {
  /** Permission level of the tokens, in the platform's words. */
  readonly access_level: string | undefined;
  /** Next step for the operator, in one sentence. */
  readonly next: string;
}

export interface AccessTokens {
  readonly accessToken: string;
  readonly accessTokenSecret: string;
}

const NEEDED: AccessLevel = "read-write-directmessages";

/**
 * Asks the platform which account the tokens belong to, and stores the tokens encrypted.
 *
 * A running bot stores the tokens itself, because it has the accounts in memory. If no bot runs, this process stores
 * the tokens.
 */
export async function linkAccount(
  io: Io,
  target: PlatformTarget,
  { accessToken, accessTokenSecret }: AccessTokens,
): Promise<LinkResult> {
  const { app, access, folder, settings } = target;
  const tokens = { accessToken, accessTokenSecret };
  const { consumerKey, consumerSecret } = access;
  const client = app.as({ type: "oauth1", consumerKey, consumerSecret, ...tokens });
  const who = await client.account.verifyCredentials();
  const account = { id: who.id_str, username: who.screen_name, ...tokens };
  const running = await callRuntime(folder, "linkAccount", account);
  if (running === undefined) {
    const linkedAt = await platformTime(folder);
    await withAccounts({ ...settings, folder }, io.env["ANSWERBACK_KEY"], (accounts) =>
      accounts.put({ ...account, linkedAt }),
    );
  }
  const level = client.accessLevel;
  const listed = settings.accounts.map((handle) => handle.toLowerCase());
  return {
    id: account.id,
    username: account.username,
    access_level: level,
    next:
      level !== undefined && level !== NEEDED
        ? `Its tokens may only ${level}: raise the app's permission level, then link the account again.`
        : listed.length > 0 && !listed.includes(account.username.toLowerCase())
          ? `Add ${account.username} to accounts: in the settings, so that the bot answers for it.`
          : running === undefined
            ? "The bot answers for it from its next start on."
            : running.subscribed
              ? "The running bot answers for it from now on."
              : `The running bot gets no events of it: ${running.reason ?? "the platform has not subscribed it"}.`,
  };
}

/**
 * Unlinks an account, in the running bot or in the stored accounts.
 *
 * @throws {UsageError} if the account is not linked.
 */
export async function unlinkAccount(
  io: Io,
  settings: Pick<Settings, "store" | "postgres">,
  handle: string,
): Promise<UserRef> {
  const folder = dataFolder(settings);
  const wanted = handle.replace(/^@/, "").toLowerCase();
  const account = (await linkedAccounts(settings, io)).find(
    ({ id, username }) => id === wanted || username.toLowerCase() === wanted,
  );
  if (account === undefined) {
    throw new UsageError(`the account ${handle} is not linked`, {
      hint: "list the linked accounts with: answerback accounts list",
    });
  }
  const { id, username } = account;
  const running = await callRuntime(folder, "unlinkAccount", { id });
  if (running === undefined) {
    await withAccounts({ ...settings, folder }, io.env["ANSWERBACK_KEY"], (accounts) =>
      accounts.remove(id),
    );
  }
  return { id, username };
}
