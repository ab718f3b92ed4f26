import { counted } from "../../text/counted.ts";
import type { Client, RateLimits } from "../../client/client.ts";
import { CredentialError, PlatformError } from "../../client/errors.ts";
import { loginCommand } from "../../runtime/accounts.ts";
import { lostPermission } from "../../runtime/delivery.ts";
import { messageOf } from "../../system/error-message.ts";
import type { PlatformTarget } from "../target/target.ts";
import { type Finding, fail, failed, ok, warn } from "./finding.ts";

/** Checks whether the platform accepts the app's bearer token. */
export async function checkApp({ app, access }: PlatformTarget): Promise<Finding> {
  try {
    await app.activity.count();
    return ok("app", `${access.baseUrl} accepts the app's token`);
  } catch (error) {
    return failed("app", error, "set app.bearer_token, or ANSWERBACK_APP_BEARER_TOKEN");
  }
}

export interface AccountClient {
  readonly id: string;
  readonly username: string;
  readonly client: Client<"oauth1">;
}

/** Checks that accounts are linked and that their tokens are valid. Also returns the clients of the accounts. */
export async function checkAccounts(
  target: PlatformTarget,
): Promise<{ readonly findings: readonly Finding[]; readonly clients: readonly AccountClient[] }> {
  const { accounts, settings } = target;
  const wanted =
    settings.accounts.length > 0 ? settings.accounts : accounts.map(({ username }) => username);
  if (wanted.length === 0) {
    return { clients: [], findings: [fail("account", "no account is linked", "answerback login")] };
  }
  const findings: Finding[] = [];
  const refused: Finding[] = [];
  const clients: AccountClient[] = [];
  for (const username of wanted) {
    const { finding, id, client, isRefused } = await checkAccount(target, username);
    (isRefused === true ? refused : findings).push(finding);
    if (client !== undefined && id !== undefined) clients.push({ id, username, client });
  }
  // The bot works with the remaining accounts, so a refused account is only a warning.
  const goesOn = clients.length > 0;
  const refusedFindings = refused.map((one) => (goesOn ? { ...one, state: "warn" as const } : one));
  return { findings: [...findings, ...refusedFindings], clients };
}

async function checkAccount(
  { accounts, access, app }: PlatformTarget,
  username: string,
): Promise<{
  readonly finding: Finding;
  readonly id?: string;
  readonly client?: Client<"oauth1">;
  /** Whether the platform refuses the account's tokens. */
  readonly isRefused?: true;
}> {
  const account = accounts.find((one) => one.username.toLowerCase() === username.toLowerCase());
  if (account === undefined) {
    return { finding: fail("account", `@${username} is not linked`, "answerback login") };
  }
  const { consumerKey, consumerSecret } = access;
  const { id, accessToken, accessTokenSecret } = account;
  const client = app.as({
    type: "oauth1",
    consumerKey,
    consumerSecret,
    accessToken,
    accessTokenSecret,
  });
  try {
    await client.account.verifyCredentials();
  } catch (error) {
    const login = loginCommand(username);
    if (!isRefusal(error)) return { finding: failed("account", error, login) };
    const message = `@${username}: ${lostPermission(error, username) ?? messageOf(error)}`;
    return { finding: fail("account", message, login), isRefused: true };
  }
  const level = client.accessLevel;
  return {
    id,
    client,
    finding: ok("account", `@${username}${level === undefined ? "" : `, may ${level}`}`),
  };
}

/** Whether an error means that the platform refuses an account's tokens. */
function isRefusal(error: unknown): boolean {
  const isUnauthorized = error instanceof PlatformError && error.status === UNAUTHORIZED;
  return isUnauthorized || error instanceof CredentialError;
}

const UNAUTHORIZED = 401;

/** Fraction of a rate limit. If fewer requests remain, the bot may be unable to answer. */
const LOW_SHARE = 0.1;

/**
 * Warns if fewer than {@link LOW_SHARE} of the requests of a rate limit remain. The limits come from the responses to
 * earlier checks.
 */
export function checkBudgets(clients: readonly Client[]): readonly Finding[] {
  const reported = clients.flatMap((client) => client.rateLimits.all()).flatMap(budgets);
  if (reported.length === 0) return [ok("budget", "the platform reported no limit")];
  const low = reported.filter(({ remaining, limit }) => remaining < limit * LOW_SHARE);
  const least = low[0];
  if (least === undefined)
    return [ok("budget", `${counted(reported.length, "budget")}, none nearly exhausted`)];
  const { endpoint, remaining, limit, resetAt } = least;
  return [
    warn(
      "budget",
      `${endpoint}: ${remaining} of ${limit} left`,
      `wait until ${new Date(resetAt).toISOString()}, or ask for a larger plan`,
    ),
  ];
}

function budgets({ endpoint, window, appDay, userDay, account }: RateLimits) {
  return [window, appDay, userDay, account].flatMap((one) =>
    one === undefined ? [] : [{ endpoint, ...one }],
  );
}
