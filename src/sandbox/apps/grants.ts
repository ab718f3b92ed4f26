import type { AccessLevel } from "../../interface/access.ts";
import type { User } from "../accounts/entities.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type AccessToken, accessTokens, type App, grantKey, userTokens } from "./entities.ts";

/** What a log-in ends with: the standing token of app, user and level, or a new one. */
export function issueAccessToken(
  sandbox: Sandbox,
  app: App,
  user: User,
  level: AccessLevel = app.level,
): AccessToken {
  const { world } = sandbox;
  const table = accessTokens.in(world);
  const standing = table.where("grant", grantKey(app.id, user.id));
  const same = standing.find((token) => token.level === level && !token.voided);
  if (same !== undefined) return same;
  for (const { token, voided } of standing) if (voided) table.delete(token);
  return table.put({
    token: `${user.id}-${world.random.letters(40)}`,
    secret: world.random.letters(45),
    appId: app.id,
    userId: user.id,
    level,
    voided: false,
    createdAt: sandbox.time.now(),
  });
}

/** Whether a token of this very level stands, so that the user need not be asked again. */
export function hasApproved(
  { world }: Sandbox,
  appId: string,
  userId: string,
  level: AccessLevel,
): boolean {
  return accessTokens
    .in(world)
    .where("grant", grantKey(appId, userId))
    .some((token) => token.level === level && !token.voided);
}

/** Whether the user has authorized the app, by either flow, tokens discarded since included. */
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

/**
 * Makes an app's issued OAuth 1.0a tokens useless, as a change of its level does.
 *
 * The grants stay: the user still finds the app among those they authorized.
 */
export function voidTokens({ world }: Sandbox, appId: string): void {
  const table = accessTokens.in(world);
  for (const token of table.where("app", appId)) table.put({ ...token, voided: true });
}
