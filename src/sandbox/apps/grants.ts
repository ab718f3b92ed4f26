import type { User } from "../accounts/entities.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type AccessToken, accessTokens, type App, grantKey, userTokens } from "./entities.ts";

/** What a log-in ends with: the standing token of app and user, or a new one of the app's level. */
export function issueAccessToken(sandbox: Sandbox, app: App, user: User): AccessToken {
  const { world } = sandbox;
  const table = accessTokens.in(world);
  const standing = table.where("grant", grantKey(app.id, user.id));
  const same = standing.find((token) => token.level === app.level);
  if (same !== undefined) return same;
  for (const { token } of standing) table.delete(token);
  return table.put({
    token: `${user.id}-${world.random.letters(40)}`,
    secret: world.random.letters(45),
    appId: app.id,
    userId: user.id,
    level: app.level,
    createdAt: sandbox.time.now(),
  });
}

/** Whether the user has authorized the app, by either flow. */
export function hasGrant(sandbox: Sandbox, appId: string, userId: string): boolean {
  const key = grantKey(appId, userId);
  return (
    accessTokens.in(sandbox.world).count("grant", key) > 0 ||
    userTokens.in(sandbox.world).count("grant", key) > 0
  );
}

/** Ends all tokens of a user for an app. */
export function dropGrant(sandbox: Sandbox, appId: string, userId: string): void {
  const key = grantKey(appId, userId);
  for (const table of [accessTokens.in(sandbox.world), userTokens.in(sandbox.world)]) {
    for (const { token } of table.where("grant", key)) table.delete(token);
  }
}
