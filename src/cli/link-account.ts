import type { AccessLevel } from "../interface/access.ts";
import { UsageError } from "../errors.ts";
import { openAccounts } from "../runtime/accounts/registry.ts";
import { askRuntime } from "../runtime/control/ask.ts";
import type { Io } from "./io.ts";
import { linkedAccounts, type Person, type Target } from "./target/target.ts";

export interface Linked extends Person {
  /** What the tokens may do, as the platform says it. */
  readonly access_level: string | undefined;
  /** What is left to do, in a sentence. */
  readonly next: string;
}

export interface Tokens {
  readonly accessToken: string;
  readonly accessTokenSecret: string;
}

const NEEDED: AccessLevel = "read-write-directmessages";

/**
 * Asks the platform whose tokens these are, and keeps them sealed.
 *
 * A running bot keeps its own list, so it is told; otherwise the list on disk is changed.
 */
export async function linkAccount(
  io: Io,
  target: Target,
  { accessToken, accessTokenSecret }: Tokens,
): Promise<Linked> {
  const { app, access, folder, settings } = target;
  const tokens = { accessToken, accessTokenSecret };
  const { consumerKey, consumerSecret } = access;
  const client = app.as({ type: "oauth1", consumerKey, consumerSecret, ...tokens });
  const who = await client.account.verifyCredentials();
  const account = { id: who.id_str, username: who.screen_name, ...tokens, linkedAt: Date.now() };
  const running = await askRuntime(folder, "/accounts", { method: "PUT", body: account });
  if (running === undefined) {
    await (await openAccounts(folder, io.env["ANSWERBACK_KEY"])).put(account);
  }
  const level = client.accessLevel;
  const listed = settings.accounts.map((handle) => handle.toLowerCase());
  return {
    id: account.id,
    username: account.username,
    access_level: level,
    next:
      level !== undefined && level !== NEEDED
        ? `Its tokens may only ${level}: raise the app's permission level, then log in again.`
        : listed.length > 0 && !listed.includes(account.username.toLowerCase())
          ? `Add ${account.username} to accounts: in the settings, so that the bot answers for it.`
          : running === undefined
            ? "The bot answers for it from its next start on."
            : "Start the bot again, and it answers for it.",
  };
}

/** @throws {UsageError} when the account is not linked. */
export async function unlinkAccount(io: Io, folder: string, handle: string): Promise<Person> {
  const wanted = handle.replace(/^@/, "").toLowerCase();
  const account = (await linkedAccounts(folder, io)).find(
    ({ id, username }) => id === wanted || username.toLowerCase() === wanted,
  );
  if (account === undefined) {
    throw new UsageError(`the account ${handle} is not linked`, {
      hint: "see who is with: answerback accounts list",
    });
  }
  const { id, username } = account;
  const running = await askRuntime(folder, `/accounts/${id}`, { method: "DELETE" });
  if (running === undefined) {
    await (await openAccounts(folder, io.env["ANSWERBACK_KEY"])).remove(id);
  }
  return { id, username };
}
