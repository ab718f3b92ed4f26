import { createClient } from "../../client/create-client.ts";
import type { Client, Credentials, OAuth1Credentials } from "../../client/client.ts";
import type { Settings } from "../../config/settings.ts";
import { UsageError } from "../../errors.ts";
import { withAccounts } from "../../runtime/accounts.ts";
import { appAccess } from "../../runtime/platform.ts";
import type { LinkedAccount, PlatformAccess } from "../../runtime/vocabulary.ts";
import { isPostgresUrl } from "../../system/postgres-url.ts";
import type { Io } from "../io.ts";
import {
  dataFolder,
  exists,
  settingsFor,
  type SettingsFlags,
} from "../arguments/settings-flags.ts";
import { type LocalSandbox, sandboxOf } from "./sandbox-control.ts";

/** A user: an id and a handle without `@`. */
export interface UserRef {
  readonly id: string;
  readonly username: string;
}

/** Connection of a command to the platform of the settings. */
export interface PlatformTarget {
  readonly settings: Settings;
  readonly folder: string;
  readonly access: Omit<PlatformAccess, "webhookUrl">;
  /** The running sandbox; undefined if the settings have `target: live`. */
  readonly sandbox: LocalSandbox | undefined;
  /** Client with the app's bearer token. */
  readonly app: Client<"bearer">;
  readonly accounts: readonly LinkedAccount[];
  /**
   * Returns credentials of the account with a handle. Without a handle, this is the settings' first account, else the
   * sandbox's bot, else the only linked account.
   */
  credentialsOf(
    handle: string | undefined,
  ): Promise<UserRef & { readonly keys: OAuth1Credentials }>;
  /** Returns a client that acts as the account with a handle. */
  as(handle: string | undefined): Promise<UserRef & { readonly client: Client<"oauth1"> }>;
  /** Returns the user with a handle (`@handle`) or id. */
  user(handleOrId: string): Promise<UserRef>;
}

/**
 * Runs `work` with a connection to the platform of the settings.
 *
 * @throws {UsageError} if a credential is missing.
 * @throws {NotRunningError} if the target is the sandbox and it does not run.
 */
export async function connected<T>(
  io: Io,
  flags: SettingsFlags,
  work: (target: PlatformTarget) => Promise<T>,
): Promise<T> {
  const settings = await settingsFor(io, flags);
  const sandbox = settings.target === "sandbox" ? await sandboxOf(settings) : undefined;
  const folder = dataFolder(settings);
  const access = appAccess(settings, sandbox?.file);
  const app = clientFor(access, { type: "bearer", bearerToken: access.bearerToken });
  // A process with the role `receiver` has no `ANSWERBACK_KEY`, and so can't decrypt the accounts' tokens.
  const accounts = settings.role === "receiver" ? [] : await linkedAccounts(settings, io);
  const credentialsOf: PlatformTarget["credentialsOf"] = async (handle) => {
    const account = await findActor({ settings, sandbox, accounts, handle });
    const { consumerKey, consumerSecret } = access;
    const { accessToken, accessTokenSecret, id, username } = account;
    const keys = { consumerKey, consumerSecret, accessToken, accessTokenSecret };
    return { id, username, keys: { type: "oauth1", ...keys } };
  };
  try {
    return await work({
      settings,
      folder,
      access,
      sandbox,
      app,
      accounts,
      credentialsOf,
      async as(handle) {
        const { id, username, keys } = await credentialsOf(handle);
        return { id, username, client: app.as(keys) };
      },
      async user(handleOrId) {
        if (/^\d+$/.test(handleOrId)) return { id: handleOrId, username: handleOrId };
        const { data } = await app.users.byUsername(handleOrId.replace(/^@/, ""));
        return { id: data.id, username: data.username };
      },
    });
  } finally {
    await app.close();
  }
}

/** Linked accounts of a bot. Does not create the bot's data folder. */
export async function linkedAccounts(
  settings: Pick<Settings, "store" | "postgres">,
  io: Pick<Io, "env">,
): Promise<readonly LinkedAccount[]> {
  const folder = dataFolder(settings);
  const isShared = isPostgresUrl(settings.store.url);
  if (!isShared && !(await exists(folder, "accounts.json"))) return [];
  return withAccounts({ ...settings, folder }, io.env["ANSWERBACK_KEY"], (all) => all.list());
}

function clientFor<const Given extends Credentials>(
  { baseUrl, adsBaseUrl, dialect }: PlatformTarget["access"],
  credentials: Given,
): Client<Given["type"]> {
  return createClient({ baseUrl, adsBaseUrl, dialect, credentials });
}

interface ActorQuery {
  readonly settings: Settings;
  readonly sandbox: LocalSandbox | undefined;
  readonly accounts: readonly LinkedAccount[];
  readonly handle: string | undefined;
}

type Actor = Pick<LinkedAccount, "id" | "username" | "accessToken" | "accessTokenSecret">;

/** Finds a linked account. On the sandbox, every other user may act too: the sandbox issues tokens for every user. */
async function findActor(query: ActorQuery): Promise<Actor> {
  const { settings, sandbox, accounts, handle } = query;
  const [first, ...others] = accounts;
  const own = handle ?? settings.accounts[0] ?? sandbox?.file.bot.id;
  const wanted = own?.replace(/^@/, "");
  if (wanted === undefined && first !== undefined && others.length === 0) return first;
  const account = accounts.find(
    ({ id, username }) => id === wanted || username.toLowerCase() === wanted?.toLowerCase(),
  );
  if (account !== undefined) return account;
  if (wanted === undefined) {
    throw new UsageError(
      first === undefined ? "no account is linked" : "several accounts are linked",
      {
        hint:
          first === undefined ? "link one with: answerback login" : `add --as @${first.username}`,
      },
    );
  }
  const person = await sandbox?.find(wanted);
  if (sandbox === undefined || person === undefined) {
    throw new UsageError(`the account @${wanted} is not linked`, {
      hint: "link it with: answerback login; see who is linked with: answerback accounts list",
    });
  }
  const tokens = await sandbox.tokens(person.id, sandbox.file.app.id);
  return {
    ...person,
    accessToken: tokens.access_token,
    accessTokenSecret: tokens.access_token_secret,
  };
}
