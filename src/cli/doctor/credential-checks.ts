import type { Client } from "../../client/client.ts";
import type { RateLimits } from "../../client/rate-limits.ts";
import { ACCESS_LEVELS } from "../../interface/access.ts";
import type { Target } from "../target/target.ts";
import { type Finding, fail, failed, ok, warn } from "./finding.ts";

/** Whether the app's own token is good. */
export async function appOf({ app, access }: Target): Promise<Finding> {
  try {
    await app.activity.count();
    return ok("app", `${access.baseUrl} takes the app's token`);
  } catch (error) {
    return failed("app", error, "set app.bearer_token, or ANSWERBACK_APP_BEARER_TOKEN");
  }
}

export interface AccountClient {
  readonly username: string;
  readonly client: Client<"oauth1">;
}

/** Whether the accounts are linked, their tokens good, and good enough. */
export async function accountsOf(
  target: Target,
): Promise<{ readonly findings: readonly Finding[]; readonly clients: readonly AccountClient[] }> {
  const { accounts, settings } = target;
  const wanted =
    settings.accounts.length > 0 ? settings.accounts : accounts.map(({ username }) => username);
  if (wanted.length === 0) {
    return { clients: [], findings: [fail("account", "no account is linked", "answerback login")] };
  }
  const findings: Finding[] = [];
  const clients: AccountClient[] = [];
  for (const username of wanted) {
    const { finding, client } = await accountOf(target, username);
    findings.push(finding);
    if (client !== undefined) clients.push({ username, client });
  }
  return { findings, clients };
}

async function accountOf(
  { accounts, access, app }: Target,
  username: string,
): Promise<{ readonly finding: Finding; readonly client?: Client<"oauth1"> }> {
  const account = accounts.find((one) => one.username.toLowerCase() === username.toLowerCase());
  if (account === undefined) {
    return { finding: fail("account", `@${username} is not linked`, "answerback login") };
  }
  const { consumerKey, consumerSecret } = access;
  const { accessToken, accessTokenSecret } = account;
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
    return { finding: failed("account", error, `answerback login --username ${username}`) };
  }
  const level = client.accessLevel;
  const enough = ACCESS_LEVELS.at(-1);
  if (level !== undefined && level !== enough) {
    const mend = `set the app's permission level to ${enough}, then: answerback login --username ${username}`;
    return { client, finding: fail("account", `@${username} may only ${level}`, mend) };
  }
  return {
    client,
    finding: ok("account", `@${username}${level === undefined ? "" : `, may ${level}`}`),
  };
}

/** Below this share of a budget there may be too little left for answers. */
const LOW = 0.1;

/** Whether requests are left of every budget that the platform told of during the checks. */
export function budgetsOf(clients: readonly Client[]): readonly Finding[] {
  const told = clients.flatMap((client) => client.rateLimits.all()).flatMap(budgets);
  if (told.length === 0) return [ok("budget", "the platform tells of no limit")];
  const low = told.filter(({ remaining, limit }) => remaining < limit * LOW);
  const least = low[0];
  if (least === undefined) return [ok("budget", `${told.length} budget(s), none nearly used up`)];
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
